package engine

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// firstWords begin the lines of a scenario that is under way.
var firstWords = []string{"spawn", "step", "deliver", "receive", "drop", "crash", "restart", "pause", "resume", "skew", "tick", "redis", "do", "enter", "leave", "note", "expect"}

// LineBeginnings returns the words with which a line of a scenario may begin.
func LineBeginnings() []string {
	all := slices.Concat(heads, slices.DeleteFunc(slices.Clone(firstWords), func(word string) bool { return word == "redis" }))
	return append(all, string(VerbRedisCrash), string(VerbRedisRestart), string(VerbFailover))
}

// actions reads a line of actions. A line for several clients gives one action
// each.
func (p *parser) actions(words []word) ([]Action, []int, error) {
	verb, args := words[0], words[1:]
	a := Action{Verb: Verb(verb.text)}
	if verb.text == "redis" {
		a, err := p.redisFault(verb, args)
		return []Action{a}, []int{verb.column}, err
	}
	switch a.Verb {
	case VerbTick:
		err := p.duration(verb, args, &a.Time)
		return []Action{a}, []int{verb.column}, err
	case VerbNote:
		if len(args) != 1 {
			return nil, nil, p.problem(verb.column, `note needs one sentence in double quotes: note "…"`,
				`note 后面应是一句用双引号括起来的话：note "…"`)
		}
		a.Text = args[0].text
		return []Action{a}, []int{verb.column}, nil
	case VerbSpawn, VerbStep, VerbDeliver, VerbReceive, VerbDrop, VerbCrash, VerbRestart, VerbPause, VerbResume, VerbSkew, VerbDo, VerbEnter, VerbLeave:
	default:
		return nil, nil, p.problem(verb.column,
			"unknown action %q; expected spawn, step, deliver, receive, drop, crash, restart, pause, resume, skew, tick, redis crash, redis restart, redis failover, do, enter, leave, note or expect%s",
			"没有 %q 这个动作；可用的有 spawn、step、deliver、receive、drop、crash、restart、pause、resume、skew、tick、redis crash、redis restart、redis failover、do、enter、leave、note 和 expect%s", verb.text, lang.DidYouMean(verb.text, firstWords))
	}
	clients := 0
	for clients < len(args) && isClient(args[clients].text) && (a.Verb != VerbDo || clients == 0) {
		clients++
	}
	if clients == 0 {
		column := verb.column
		if len(args) > 0 {
			column = args[0].column
		}
		return nil, nil, p.problem(column, "%s needs a client: a capital letter, then up to 7 letters or digits, such as C1",
			"%s 后面应是客户端：一个大写字母，再跟至多 7 个字母或数字，如 C1", a.Verb)
	}
	if p.acts+clients > MaxLines {
		return nil, nil, p.tooMany(args[MaxLines-p.acts].column)
	}
	if err := p.arguments(&a, verb, args[clients:]); err != nil {
		return nil, nil, err
	}
	var actions []Action
	var columns []int
	for _, w := range args[:clients] {
		a.Client = w.text
		actions, columns = append(actions, a), append(columns, w.column)
	}
	return actions, columns, nil
}

// tooMany refuses an action that exceeds the scenario's bound, before the actions of its line take any memory.
func (p *parser) tooMany(column int) *Problem {
	return p.problem(column, "the scenario has more than %d actions", "场景文本超过 %d 个动作", MaxLines)
}

// arguments reads the words after the clients.
func (p *parser) arguments(a *Action, verb word, args []word) error {
	var err error
	switch a.Verb {
	case VerbSpawn:
		if len(args) > 0 && !strings.Contains(args[0].text, "=") {
			if a.Program, err = p.resolve(args[0]); err != nil {
				return err
			}
			args = args[1:]
		}
		a.Options, err = p.options(args)
		return err
	case VerbSkew:
		return p.duration(verb, args, &a.Time)
	case VerbStep:
		a.Count = 1
		if len(args) == 0 {
			return nil
		}
		if a.Count, err = strconv.Atoi(args[0].text); err != nil || a.Count < 1 || a.Count > MaxSteps {
			return p.problem(args[0].column, "%q is not a number of steps from 1 to %d",
				"%q 不是 1 到 %d 之间的步数", args[0].text, MaxSteps)
		}
		args = args[1:]
	case VerbDo:
		if len(args) > 0 {
			if n, ok := strings.CutPrefix(args[0].text, "redis"); ok && len(n) == 1 && n >= "1" && n <= strconv.Itoa(MaxNodes) {
				a.Node, args = int(n[0]-'0'), args[1:]
			}
		}
		for _, w := range args {
			a.Command = append(a.Command, w.text)
		}
		if _, refusal := redis.CheckRecorded(a.Command, redis.Scripts{}, p.scenario.Effects.Knows); refusal != nil {
			return p.refused(verb.column, refused(refusal))
		}
		return nil
	}
	if len(args) > 0 {
		return p.problem(args[0].column, "unknown word %q after %s",
			"%[2]s 后面的 %[1]q 无法识别", args[0].text, a.Verb)
	}
	return nil
}

func (p *parser) duration(verb word, args []word, t *Time) error {
	if len(args) != 1 {
		return p.problem(verb.column, "%s needs one length of time, such as 10s",
			"%s 后面应是一个时长，如 10s", verb.text)
	}
	var ok bool
	if *t, ok = ParseDuration(args[0].text); !ok {
		return p.problem(args[0].column, "%q is not a length of time in whole milliseconds, such as 10s or 250ms",
			"%q 不是以整毫秒计的时长，如 10s 或 250ms", args[0].text)
	}
	return nil
}

// redisFault reads redis crash [node] [keep|lose], redis restart [node] and redis failover [node].
func (p *parser) redisFault(verb word, args []word) (Action, error) {
	if len(args) == 0 || args[0].text != "crash" && args[0].text != "restart" && args[0].text != "failover" {
		return Action{}, p.problem(verb.column, "redis needs crash, restart or failover after it",
			"redis 后面应是 crash、restart 或 failover")
	}
	a := Action{Verb: Verb("redis " + args[0].text)}
	for _, w := range args[1:] {
		n, err := strconv.Atoi(w.text)
		switch {
		case err == nil && n > 0 && a.Node == 0:
			a.Node = n
		case a.Verb == VerbRedisCrash && (w.text == "keep" || w.text == "lose"):
			a.Lose = w.text == "lose"
		default:
			return a, p.problem(w.column, "unknown word %q; expected the number of a node, keep or lose",
				"%q 无法识别；这里应是节点编号、keep 或 lose", w.text)
		}
	}
	return a, nil
}
