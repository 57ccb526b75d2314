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
		if r.Clock {
			return lang.Format("No verdict: the program is not a function of its replies and its clock. %s.", "无法下结论：程序的行为不只取决于它收到的回复和它的时钟。%s。", r.Deviation.speaker(in)).In(in)
		}
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
	if r.again && r.Verdict == Holds {
		return lang.Both("Nothing but that cause breaks it within these bounds.", "在此范围内，没有别的原因会破坏它。").In(in)
	}
	told := r.Question.Sentence(r.Answer, "", in)
	if r.again {
		told = lang.Format("Another cause: %s", "另一个原因：%s", told).In(in)
	}
	if r.Verdict == Violated {
		if why := r.Answer.Counterexamples[0].Why; why.English != "" {
			told += lang.Format(" Its cause: %s", " 原因：%s", why).In(in)
		}
		if r.again {
			return told
		}
	}
	told += lang.Format(" The program was started %[1]s to learn what it does after each of %[2]d histories of replies.", "程序启动 %[1]s，学到它在 %[2]d 段回复历史之后的行为。", starts(r.Starts), r.Histories).In(in)
	if r.Verdict == Violated {
		if r.Replays == 1 {
			told += lang.Both(" The counterexample was replayed with all processes alive, and came out.", "反例已让所有进程同时运行来重放，结果重现。").In(in)
		} else {
			told += lang.Format(" The counterexample was replayed %[1]d times with all processes alive, and came out each time.", "反例已让所有进程同时运行，重放 %[1]d 次，每次都重现。", r.Replays).In(in)
		}
	}
	return told
}

// ended returns how the program ends where it is not content; 0: it always is.
func (r *Result) ended() (code int, text string) {
	for op := range r.recording.All() {
		if op.Kind == program.End && op.Code != 0 {
			return op.Code, op.Text
		}
	}
	return 0, ""
}

// endsInside reports whether the program may end while it is inside.
func (r *Result) endsInside() bool { return r.recording.EndsInside() }

// jitters reports whether the program draws lots for how long it sleeps.
func (r *Result) jitters() bool {
	for op := range r.recording.All() {
		if op.Kind == program.Sleep && op.For == 0 {
			return true
		}
	}
	return false
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
	if len(r.Locks) > 1 {
		say("There are several locks here, each with a critical section of its own: clients inside by different ones do not overlap. A client inside one that waits for another does not count as stuck, because it is inside. Markers tell better.",
			"这里有好几把锁，各有各的临界区：凭不同的锁进入的客户端不算重叠。在一把锁的临界区内等待另一把锁的客户端不算死锁，因为它在临界区内：用标记能说得更准。")
	}
	if r.Clock {
		say("The program depends on its replies, its clock and its randomness alone, and not on what it reads elsewhere. The threads of a process are not interleaved.",
			"假设程序只取决于它收到的回复、它的时钟和随机数，而与别处读到的内容无关；同一进程的线程之间不做交错。")
	} else {
		say("The program depends on its replies alone: not on its clock, on chance or on what it reads elsewhere. The threads of a process are not interleaved.",
			"假设程序只取决于它收到的回复，而与时钟、随机数和别处读到的内容无关；同一进程的线程之间不做交错。")
	}
	if r.jitters() {
		say("The program draws lots for how long it sleeps. Such a sleep ends with the next tick.", "程序休眠多久是随机的：这样的休眠到下一次时钟推进为止。")
	}
	if r.Polls {
		all = append(all, lang.Format("A client that has been refused %d times in a row and asked again each time is taken to ask for ever. What it does after more refusals, such as to give up, is not explored.",
			"连续 %d 次被拒而每次都再试的客户端，视为会一直试下去。它在更多次被拒之后才做的事（例如放弃）不在搜索之内。", Refusals).In(in))
	}
	if r.Verdict == Violated && !r.Portable {
		say("The run does not play without the program: the part of the recording that it uses, or the effects of its scripts, exceed what a scenario may have.",
			"离开这个程序，这次运行无法播放：它用到的录制内容或脚本的效果超出了场景文本的上限。")
	}
	if q := r.Question; r.Verdict == Holds && q.Ticks+q.Losses+q.Crashes == 0 {
		say("No time passed, no reply was lost and no client crashed: try --ticks 1, --cuts 1 and --crashes 1, too.", "时间没有流逝，没有回复丢失，也没有客户端崩溃：再试试 --ticks 1、--cuts 1 和 --crashes 1。")
	}
	if code, text := r.ended(); code != 0 && text != "" {
		all = append(all, lang.Format("After some histories the program ends with exit code %d: %s", "在某些历史之后，程序以退出码 %d 结束：%s", code, text).In(in))
	} else if code != 0 {
		all = append(all, lang.Format("After some histories the program ends with exit code %d.", "在某些历史之后，程序以退出码 %d 结束。", code).In(in))
	}
	if r.endsInside() {
		say("After some histories the program ends while it is inside. From then on it is outside.", "在某些历史之后，程序在临界区内就结束了；此后视为已离开。")
	}
	for _, c := range r.Worked {
		all = append(all, lang.Format("A client to whose %s Redis replies %s deletes the lock's key all the same, and ends content: it is taken to be inside, although it was refused.",
			"客户端的 %s 得到回复 %s，却照样删除锁的键，然后正常结束：虽然它被拒绝了，仍视为进入了临界区。", c.Command, c.Reply).In(in))
	}
	if r.Timely != "" {
		all = append(all, lang.Format("Clients that read the same time make the same value, %s: it comes from their clocks. Try --skew C2=1ms: their clocks differ then.",
			"读到相同时刻的客户端会生成相同的值 %s：它来自各自的时钟。试试 --skew C2=1ms，让它们的时钟错开。", r.Timely).In(in))
	}
	if r.Question.Ticks > 0 && r.Endless {
		say("No key of a client that is alone expires: a tick of 1 s outlasts nothing. --tick allows a longer one.", "单独一个客户端的键都不会过期：推进 1 秒不会让任何东西到期。用 --tick 可以推进得更久。")
	}
	switch {
	case r.Question.Ticks == 0:
	case r.Clock:
		say("A tick moves the clock of Redis and those of the programs.", "时钟推进同时影响 Redis 和程序的时钟。")
	default:
		say("A tick moves the clock of Redis, not that of the program.", "时钟推进只影响 Redis，不影响程序自己的时钟。")
	}
	return all
}
