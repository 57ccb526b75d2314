package redis

import (
	"slices"
	"strconv"
	"strings"
)

// A client sends a transaction as MULTI, commands that Redis queues, and EXEC, and nothing comes between them when Redis
// executes them. Here a transaction is one command. Each queued command is one of its words, as Quote writes it:
//
//	MULTI "SET k v" "PEXPIRE k 1000" EXEC
//
// Its reply is what EXEC answers.

func checkTransaction(command []string, own Scripts, recorded func(sha string) bool) ([]string, *Refusal) {
	last := len(command) - 1
	if last == 0 || !strings.EqualFold(command[last], "EXEC") {
		return nil, refuse(`a transaction is one command here, such as %s`, "事务在这里是一条命令，例如 %s", transactionForm)
	}
	checked := slices.Clone(command)
	for i, q := range command[1:last] {
		if len(q) > maxQueued {
			return nil, refuse("queued command %d has %d bytes, more than %d", "事务中的第 %d 条命令有 %d 字节，超过了 %d 字节", i+1, len(q), maxQueued)
		}
		words, refusal := Split(q)
		if refusal != nil {
			return nil, refusal
		}
		if len(words) > 0 && strings.EqualFold(words[0], "MULTI") {
			return nil, refuse("a transaction cannot contain another one", "事务里不能再有事务")
		}
		if words, refusal = CheckRecorded(words, own, recorded); refusal != nil {
			return nil, refusal
		}
		if n := len(Label(words)); n > MaxArgSize {
			return nil, refuse("queued command %d has %d bytes, more than %d", "事务中的第 %d 条命令有 %d 字节，超过了 %d 字节", i+1, n, MaxArgSize)
		}
		checked[1+i] = Quote(words)
	}
	return checked, nil
}

const transactionForm = `MULTI "SET key value" "PEXPIRE key 1000" EXEC`

// maxQueued bounds a queued command before Check reads it: a script in quotes, and more than its arguments may have.
const maxQueued = 64 << 10

// Queued returns the commands of a checked transaction, and nothing for any other command.
func Queued(command []string) [][]string {
	if len(command) < 2 || !strings.EqualFold(command[0], "MULTI") {
		return nil
	}
	queued := make([][]string, len(command)-2)
	for i := range queued {
		queued[i], _ = Split(command[1+i]) // Check has read it
	}
	return queued
}

// transact executes a transaction. Redis discards one when it refuses to queue a command, because of the number of its
// arguments. Other errors are replies among the others, and undo nothing.
func (s *Server) transact(queued [][]string) Reply {
	for _, q := range queued {
		if takes, known := Takes(q[0], len(q)); known && !takes {
			return "-EXECABORT Transaction discarded because of previous errors.\r\n"
		}
	}
	var b strings.Builder
	b.WriteString("*" + strconv.Itoa(len(queued)) + "\r\n")
	for _, q := range queued {
		b.WriteString(string(s.do(q)))
	}
	return Reply(b.String())
}
