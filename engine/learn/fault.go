package learn

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A Fault is a program that cannot be learned: it does not behave like one client of a lock.
type Fault struct {
	lang.Text
	History []string // before it
}

func (f *Fault) Error() string { return f.Sentence(lang.English) }

// Sentence tells the fault in one language, without its full stop.
func (f *Fault) Sentence(in lang.Language) string {
	if len(f.History) == 0 {
		return f.In(in)
	}
	return lang.Format("%s, %s", "%s，%s", after(f.History), f.Text).In(in)
}

// after says where a history leads: its last reply, or that there was none.
func after(history []string) lang.Text {
	for _, seen := range slices.Backward(history) {
		switch {
		case seen == program.Done, strings.Trim(seen, "0123456789") == "": // it has read its clock
		case seen == program.Lost:
			return lang.Both("after its connection was cut", "在连接被切断之后")
		default:
			return lang.Format("after the reply %s", "在收到回复 %s 之后", seen)
		}
	}
	return lang.Both("at its start", "在一开始")
}

// A Deviation is a program that is no function of its replies: after the same ones it did something else.
type Deviation struct {
	History   []string // before it
	Want, Got string   // what it did, and what it did another time: a command as redis-cli takes it, or how it ended
	Clock     bool     // the two differ by a value that looks like a time
}

func (d *Deviation) Error() string { return d.Sentence(lang.English) }

// Sentence tells the deviation in one language.
func (d *Deviation) Sentence(in lang.Language) string {
	after := after(d.History)
	switch {
	case d.Want == d.Got:
		return lang.Format("%[1]s it sends %[2]s, and that contains the time of day: its clock decides what it does, and only its replies are the same in every run", "%[1]s，它发送 %[2]s，其中含有当前时刻：决定它行为的是时钟，而每次运行相同的只有回复", after, d.Want).In(in)
	case d.Clock:
		return lang.Format("%[1]s it sends %[2]s in one run and %[3]s in another: it reads its clock", "%[1]s，它一次发送 %[2]s，另一次发送 %[3]s：它读了自己的时钟", after, d.Want, d.Got).In(in)
	}
	return lang.Format("%[1]s it does this in one run: %[2]s, and that in another: %[3]s", "%[1]s，它一次这样做：%[2]s，另一次却是：%[3]s", after, d.Want, d.Got).In(in)
}

func alikeOps(a, b program.Op) bool {
	return a.Kind == b.Kind && slices.Equal(a.Command, b.Command) && a.Back == b.Back && a.Code == b.Code
}

// unstarted returns the fault of a program that cannot be started.
func unstarted(err error) error {
	if both := (lang.Speaker)(nil); errors.As(err, &both) {
		return &Fault{Text: lang.Both(both.Sentence(lang.English), both.Sentence(lang.Chinese))}
	}
	return &Fault{Text: lang.Both(err.Error(), err.Error())}
}

func (s *session) faulty(why lang.Text) error { return &Fault{why, slices.Clone(s.history)} }

// deviates tells the difference between what the process did and what it did another time.
func (s *session) deviates(op program.Op, a Arrival) *Deviation {
	d := &Deviation{History: slices.Clone(s.history), Want: shown(op), Got: shown(program.Op{Kind: program.End, Code: a.Code, Text: lastLine(a.Said)})}
	if a.Asleep {
		d.Got = shown(program.Op{Kind: program.Sleep, For: length(a)})
	}
	if a.Command != nil {
		words := asRecorded(a.Command)
		d.Got = redis.Label(words)
		d.Clock = op.Kind == program.Command && slices.ContainsFunc(words, func(word string) bool {
			return isTime(word) && !slices.Contains(op.Command, program.Literal(word))
		})
	}
	return d
}

// shown returns an operation for a reader.
func shown(op program.Op) string {
	if op.Kind == program.Command {
		return redis.Quote(op.Command)
	}
	if op.Kind == program.Sleep {
		return fmt.Sprintf("sleep %d ms", op.For)
	}
	text := fmt.Sprintf("exit code %d", op.Code)
	if op.Text != "" {
		text += ": " + op.Text
	}
	return text
}

// refuses returns why nobody executes a command that a process has sent; nil: somebody does. words are those of the recording.
func (l *Learner) refuses(sent, words []string) *lang.Text {
	own := l.Scripts()
	if lack := own.Lacks(words); lack != nil {
		why := lang.Format("it sends %s, which Lockstep does not execute as Redis does", "它发送了 %s，Lockstep 无法像 Redis 那样执行这条命令", lack.Command)
		if lack.Wide {
			why = lang.Format("%s; a real Redis executes it: --redis-server redis-server", "%s；真实的 Redis 可以执行：--redis-server redis-server", why)
		}
		return &why
	}
	if strings.EqualFold(sent[0], "EVAL") && len(sent) > 1 && len(sent[1]) > redis.MaxScript {
		why := lang.Format("it sends a script of %d bytes, more than %d", "它发送的脚本有 %d 字节，超过了 %d 字节", len(sent[1]), redis.MaxScript)
		return &why
	}
	if _, refusal := redis.CheckOwn(words, own); refusal != nil {
		why := lang.Format("it sends a command that Lockstep does not take: %s", "它发送了 Lockstep 不支持的命令：%s", refusal.Text)
		return &why
	}
	return nil
}

// silent returns the fault of a program that ends before it has sent a command.
func silent(a Arrival) error {
	if line := strings.TrimSuffix(lastLine(a.Said), "."); line != "" {
		return &Fault{Text: lang.Format("it ends with exit code %d before it has sent a command to the Redis that REDIS_URL names, and says: %s", "它还没有向 REDIS_URL 所指的 Redis 发送命令就结束了（退出码 %d），并输出：%s", a.Code, line)}
	}
	return &Fault{Text: lang.Format("it ends with exit code %d before it has sent a command to the Redis that REDIS_URL names", "它还没有向 REDIS_URL 所指的 Redis 发送命令就结束了（退出码 %d）", a.Code)}
}

// lastLine returns the line that says most of what a program said: the last that names an error, or else the last one.
func lastLine(said string) string {
	lines := strings.Split(strings.TrimRight(said, " \r\n"), "\n")
	for _, line := range slices.Backward(lines) {
		if namesError.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[len(lines)-1])
}

// namesError matches a line such as redis.exceptions.LockError: it is gone, or ReplyError: ERR no.
var namesError = regexp.MustCompile(`^\S*(Error|Exception)\b[^{]*:`)
