package process

import (
	"strconv"
	"time"

	"lockstep/engine/lang"
)

// A StartError says why a program did not start.
type StartError struct{ lang.Text }

func (e *StartError) Error() string { return e.English }

func startError(english, chinese string, arguments ...any) *StartError {
	return &StartError{lang.Format(english, chinese, arguments...)}
}

// A fault is the sentence about what a program does wrong. Its subject is the program.
type fault struct{ lang.Text }

func (f *fault) Error() string { return f.English }

func faulty(english, chinese string, arguments ...any) *fault {
	return &fault{lang.Format(english, chinese, arguments...)}
}

func neverConnects(patience time.Duration, address string) *fault {
	return faulty("it has not connected to Redis for %s: its Redis is at %s, which REDIS_URL, REDIS_HOST and REDIS_PORT tell it. --patience lets it take longer",
		"它在 %s 内没有连接 Redis：它的 Redis 在 %s，由 REDIS_URL、REDIS_HOST 和 REDIS_PORT 告知。用 --patience 可以等得更久", patience, address)
}

func sendsNothing(patience time.Duration) *fault {
	return faulty("it has sent no command for %s and has not ended: --patience lets it take longer", "它在 %s 内没有发送命令，也没有结束：用 --patience 可以等得更久", patience)
}

func waitsForNothing() *fault {
	return faulty("it waits, with no time-out, for something that never comes: it has sent no command and has not ended", "它在等一件永远不会发生的事，又没有设超时：既没有发送命令，也没有结束")
}

func neverRests(patience time.Duration) *fault {
	return faulty("it has sent a command, and something in it has gone on for %s since: --patience lets it take longer, and --clock machine leaves it its own clock", "它发送了命令，但此后 %s 内程序里还有别的事没停下来：用 --patience 可以等得更久，用 --clock machine 让它使用机器的时钟", patience)
}

func sendsHalf(patience time.Duration) *fault {
	return faulty("it has begun a command and has not sent the rest for %s: --patience lets it take longer", "它发送了命令的开头，但在 %s 内没有发送其余部分：用 --patience 可以等得更久", patience)
}

func severalThreads(connections int) *fault {
	return faulty("it sends from %d connections at once: Lockstep does not interleave the threads of a process",
		"它同时从 %d 个连接发送命令：Lockstep 不交错执行一个进程的各个线程", connections)
}

func leavesBehind(processes int, name string) *fault {
	return faulty("it has ended and left %d processes running, such as %q: Lockstep follows a program until its first process ends, so start it in the foreground",
		"它已结束，却留下 %d 个仍在运行的进程，例如 %q：Lockstep 只跟踪程序到其第一个进程结束为止，请让它在前台运行", processes, name)
}

func speaksHTTP() *fault {
	return faulty("it speaks HTTP to the port of its Redis", "它向 Redis 的端口发送了 HTTP 请求")
}

func speaksTLS() *fault {
	return faulty("it speaks TLS to its Redis, which has none: the address is redis://, and not rediss://", "它用 TLS 连接 Redis，但这里的 Redis 没有 TLS：地址是 redis://，不是 rediss://")
}

func speaksGarbage(bytes []byte) *fault {
	return faulty("it does not speak the protocol of Redis: it has sent %s", "它使用的不是 Redis 协议：它发送了 %s", strconv.Quote(string(bytes[:min(len(bytes), 24)])))
}

func tooManyConnections() *fault {
	return faulty("it has opened more than %d connections", "它打开的连接超过 %d 个", maxConnections)
}

func tooManyPipelined() *fault {
	return faulty("it has sent more than %d commands, or more than %d bytes, without waiting for a reply", "它不等回复就发送了超过 %d 条命令或超过 %d 字节", maxPipelined, maxWaiting)
}

func tooLongTransaction() *fault {
	return faulty("its transaction has more than %d commands or %d bytes", "它的事务超过 %d 条命令或 %d 字节", maxPipelined, maxRequest)
}

func tooLongArgument() *fault {
	return faulty("it has sent an argument of more than %d bytes", "它发送的参数超过 %d 字节", maxBulk)
}

func tooLongRequest() *fault {
	return faulty("it has sent a command of more than %d bytes", "它发送的命令超过 %d 字节", maxRequest)
}

func tooManyArguments() *fault {
	return faulty("it has sent a command of more than %d arguments", "它发送的命令超过 %d 个参数", maxArguments)
}

func tooManyScripts() *fault {
	return faulty("it has loaded more than %d scripts or %d bytes of them", "它加载的脚本超过 %d 个或 %d 字节", maxScripts, maxScriptBytes)
}

func tooMuchAside() *fault {
	return faulty("it has connected or sent commands that touch no key more than %d times, and nothing else", "它连接或发送不涉及任何键的命令超过 %d 次，此外什么也没有发送", maxAside)
}

func readsNothing() *fault {
	return faulty("it sends commands and does not read their replies", "它发送命令，却不读取回复")
}

func mistaken(mistake any) *fault {
	return faulty("Lockstep made a mistake while it listened to it: %v", "Lockstep 在监听它时出了错：%v", mistake)
}
