package learn

import (
	"path"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// NameOf returns a name for the program that a command starts: that of its last word that looks like a file, or of its
// first word. No built-in program has it.
func NameOf(command []string) string {
	name := command[0]
	for _, word := range command[1:] {
		if strings.ContainsAny(word, "./") && !strings.HasPrefix(word, "-") && !strings.Contains(word, "{") && !strings.Contains(word, "://") {
			name = word
		}
	}
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	name = strings.Trim(name, "-")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "program-" + name
	}
	name = strings.TrimSuffix(name[:min(len(name), 30)], "-")
	if _, taken := program.Builtin(name); taken {
		name += "-recorded"
	}
	return name
}

// Sentence tells the result in one language.
func (r *Result) Sentence(in lang.Language) string {
	switch r.Verdict {
	case NotAFunction:
		return lang.Format("No verdict: the program is not a function of its replies. %s.", "无法下结论：程序的行为不只取决于它收到的回复。%s。", r.Deviation.speaker(in)).In(in)
	case Faulty:
		return lang.Format("No verdict: %s.", "无法下结论：%s。", r.Fault).In(in)
	case Stopped:
		return lang.Format("Not decided: the test was stopped after the program had been started %s.", "尚无定论：测试已停止，此前程序启动了 %s。", starts(r.Starts)).In(in)
	case Budget:
		if r.Spent {
			return lang.Format("Not decided: the program has been started %s, as often as it may be.", "尚无定论：程序已启动 %s，达到上限。", starts(r.Starts)).In(in)
		}
	}
	told := r.Question.Sentence(r.Answer, "", in)
	told += lang.Format(" The program was started %[1]s to learn what it does after %[2]d histories.", "程序启动 %[1]s，学到它在 %[2]d 段历史之后的行为。", starts(r.Starts), r.Histories).In(in)
	if r.Verdict == Violated {
		told += lang.Format(" The counterexample was replayed %[1]s with all processes alive, and came out each time.", "反例已让所有进程同时运行，重放 %[1]s，每次都重现。", starts(r.Replays)).In(in)
	}
	return told
}

// starts returns a number of times.
func starts(n int) lang.Text {
	if n == 1 {
		return lang.Both("once", "1 次")
	}
	return lang.Format("%d times", "%d 次", n)
}

func (d *Deviation) speaker(in lang.Language) string {
	told := d.Sentence(in)
	if in == lang.English {
		told = strings.ToUpper(told[:1]) + told[1:]
	}
	return told
}

// Assumptions returns what the verdict rests on, a sentence each.
func (r *Result) Assumptions(in lang.Language) []string {
	all := []string{}
	say := func(english, chinese string) { all = append(all, lang.Both(english, chinese).In(in)) }
	if r.Verdict == NotAFunction || r.Verdict == Faulty {
		return all
	}
	if r.Question.Program.Guessed() && len(r.Locks) > 0 {
		locks := redis.Quote(r.Locks)
		say("Inside is a guess: from the granted command that sets "+locks+", or a GET that shows the client's own value there, to the command that gives it back. Publish \"enter\" and \"leave\" on the channel lockstep to say it exactly.",
			"“在临界区内”是猜测：从设置 "+locks+" 的命令成功、或读到自己的值的 GET 开始，到归还它的命令为止。在频道 lockstep 上发布 enter 和 leave，就能准确说明。")
	}
	say("The program depends on its replies alone: not on its clock, on chance or on what it reads elsewhere. The threads of a process are not interleaved.",
		"假设程序只取决于它收到的回复，而与时钟、随机数和别处读到的内容无关；同一进程的线程之间不做交错。")
	if r.Polls {
		say("A client that sends the same command again, after one that came to nothing, waits: it asks again when time has passed. What it does only after several refusals, such as to give up, is not explored.",
			"命令没有结果而再次发送同一条命令的客户端视为在等待：时间过去之后它会再试。它在多次被拒之后才做的事（例如放弃）不在搜索之内。")
	}
	if r.Verdict == Violated && !r.Portable {
		say("The run does not play without the program: the part of the recording that it uses, or the effects of its scripts, exceed what a scenario may have.",
			"离开这个程序，这次运行无法播放：它用到的录制内容或脚本的效果超出了场景文本的上限。")
	}
	if r.Question.Ticks > 0 && r.Endless {
		say("No key of a client that is alone expires: a tick of 1 s outlasts nothing.", "单独一个客户端的键都不会过期：推进 1 秒不会让任何东西到期。")
	}
	if r.Question.Ticks > 0 {
		say("A tick moves the clock of Redis, not that of the program.", "时钟推进只影响 Redis，不影响程序自己的时钟。")
	}
	return all
}
