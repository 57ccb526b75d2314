package engine

import "lockstep/engine/redis"

// A reading is an effect of which the parser has read some lines.
type reading struct {
	Effect
	began   int // the line of its command
	size    int // bytes of its lines
	replied bool
}

// effect begins an effect: effect EVALSHA 3b5c… 1 lock.foo C1-1. Its facts follow in lines that begin with |.
func (p *parser) effect(words []word) error {
	command := make([]string, 0, len(words))
	for _, w := range words[1:] {
		command = append(command, w.text)
	}
	checked, refusal := redis.CheckRecorded(command, redis.Scripts{}, func(string) bool { return true })
	switch {
	case refusal != nil:
		return p.refused(words[0].column, refused(refusal))
	case len(p.scenario.Effects.All()) >= MaxEffects:
		return p.problem(words[0].column, "a scenario has at most %d effects", "场景文本至多有 %d 个 effect", MaxEffects)
	}
	p.reading = &reading{Effect: Effect{Command: checked}, began: p.line}
	return nil
}

// fact reads a line of an effect.
func (p *parser) fact(line string) error {
	e := p.reading
	if e.size += len(line); e.size > MaxEffectSize {
		return p.problem(1, "an effect has more than %d bytes", "effect 超过 %d 字节", MaxEffectSize)
	}
	if reply, is, ok := readReplyLine(line); is {
		if !ok || e.replied {
			return p.refused(1, noReply())
		}
		e.Reply, e.replied = reply, true
		return nil
	}
	words, refusal := redis.Split(line)
	if refusal != nil {
		return p.refused(1, refused(refusal))
	}
	if len(words) == 2 && words[0] == "at" && len(e.Before) == 0 && e.At == 0 && !e.replied {
		if at, ok := ParseDuration(words[1]); ok && at > 0 {
			e.At = at
			return nil
		}
	}
	h, ok := readHeld(words)
	switch {
	case !ok:
		return p.problem(1, "this line of an effect is none of: at TIME, none KEY, string KEY VALUE [TIME LEFT], hash KEY FIELDS [TIME LEFT], = REPLY",
			"effect 的这一行应是其中之一：at 时刻、none 键、string 键 值 [剩余时间]、hash 键 字段 [剩余时间]、= 回复")
	case e.replied:
		e.After = append(e.After, h)
	default:
		e.Before = append(e.Before, h)
	}
	return nil
}

// endEffect checks the effect that the parser has read.
func (p *parser) endEffect() error {
	e := p.reading
	if e == nil {
		return nil
	}
	p.reading = nil
	flaw := e.flaw()
	if p.scenario.Effects == nil {
		p.scenario.Effects = newEffects()
	}
	if flaw == nil && !p.scenario.Effects.add(&e.Effect) {
		flaw = refuse("there is an effect for this situation already", "已经有这种情形下的 effect 了")
	}
	if flaw != nil {
		return &Problem{p.file, e.began, 1, flaw}
	}
	return nil
}
