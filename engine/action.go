package engine

import (
	"strconv"
	"strings"
	"time"

	"lockstep/engine/redis"
)

// Verb says what an Action does.
type Verb string

// The verbs of the scenario text.
const (
	VerbSpawn        Verb = "spawn"
	VerbStep         Verb = "step"
	VerbDeliver      Verb = "deliver"
	VerbReceive      Verb = "receive"
	VerbDrop         Verb = "drop"
	VerbCrash        Verb = "crash"
	VerbRestart      Verb = "restart"
	VerbPause        Verb = "pause"
	VerbResume       Verb = "resume"
	VerbSkew         Verb = "skew"
	VerbTick         Verb = "tick"
	VerbRedisCrash   Verb = "redis crash"
	VerbRedisRestart Verb = "redis restart"
	VerbFailover     Verb = "redis failover"
	VerbDo           Verb = "do"
	VerbEnter        Verb = "enter"
	VerbLeave        Verb = "leave"
	VerbNote         Verb = "note"
)

// An Action is one thing that the learner, the scheduler or a fault does. A run
// is a list of actions and nothing else.
type Action struct {
	Verb    Verb
	Client  string   // the lane it is about; nothing for tick, note and redis
	Count   int      // step: how many commands to deliver, at least 1
	Program string   // spawn: the program's name; nothing: the scenario's
	Options Options  // spawn
	Time    Time     // tick: how much passes; skew: own clock minus true time
	Node    int      // redis, do: which node, counted from 1; 0: the first
	Lose    bool     // redis crash: without its data
	Command []string // do
	Text    string   // note
}

// Options are a client's settings. A zero field is unset and leaves the choice
// to the scenario's header, then to the program, then to the default.
type Options struct {
	Timeout        Time  `json:"timeout,omitempty"`        // how long a lease lasts, ms
	Retry          Time  `json:"retry,omitempty"`          // wait between attempts, ms
	AcquireTimeout Time  `json:"acquireTimeout,omitempty"` // give up acquiring after, ms; 0: never
	Skew           Time  `json:"skew,omitempty"`           // own clock minus true time, ms
	Blocking       *bool `json:"blocking,omitempty"`       // whether another attempt follows a failed one
}

// or fills what o leaves unset from other.
func (o Options) or(other Options) Options {
	pick := func(a, b Time) Time {
		if a != 0 {
			return a
		}
		return b
	}
	if o.Blocking == nil {
		o.Blocking = other.Blocking
	}
	return Options{
		Timeout: pick(o.Timeout, other.Timeout), Retry: pick(o.Retry, other.Retry),
		AcquireTimeout: pick(o.AcquireTimeout, other.AcquireTimeout), Skew: pick(o.Skew, other.Skew), Blocking: o.Blocking,
	}
}

// String writes options as the scenario text does, each with a space before it.
func (o Options) String() string {
	var b strings.Builder
	write := func(name string, t Time) {
		if t != 0 {
			b.WriteString(" " + name + "=" + Duration(t))
		}
	}
	write("timeout", o.Timeout)
	write("retry", o.Retry)
	write("acquire_timeout", o.AcquireTimeout)
	write("skew", o.Skew)
	if o.Blocking != nil {
		b.WriteString(" blocking=" + strconv.FormatBool(*o.Blocking))
	}
	return b.String()
}

// Duration writes a length of time as the scenario text does: 10s, 1.5s, 250ms, -3s.
func Duration(t Time) string {
	if t%1000 != 0 && t > -1000 && t < 1000 {
		return strconv.FormatInt(int64(t), 10) + "ms"
	}
	return t.String() + "s"
}

// ParseDuration reads the format of Duration, and all others that
// time.ParseDuration takes, in whole milliseconds.
func ParseDuration(s string) (Time, bool) {
	d, err := time.ParseDuration(s)
	if err != nil || d%time.Millisecond != 0 {
		return 0, false
	}
	return Time(d.Milliseconds()), true
}

// String writes the action as a line of scenario text.
func (a Action) String() string {
	switch a.Verb {
	case VerbSpawn:
		program := a.Program
		if program != "" {
			program = " " + program
		}
		return "spawn " + a.Client + program + a.Options.String()
	case VerbStep:
		if a.Count > 1 {
			return "step " + a.Client + " " + strconv.Itoa(a.Count)
		}
		return "step " + a.Client
	case VerbSkew:
		return "skew " + a.Client + " " + Duration(a.Time)
	case VerbTick:
		return "tick " + Duration(a.Time)
	case VerbRedisCrash, VerbRedisRestart, VerbFailover:
		text := string(a.Verb)
		if a.Node > 0 {
			text += " " + strconv.Itoa(a.Node)
		}
		if a.Lose {
			text += " lose"
		}
		return text
	case VerbDo:
		text := "do " + a.Client
		if a.Node > 0 {
			text += " redis" + strconv.Itoa(a.Node)
		}
		return text + " " + redis.Label(a.Command)
	case VerbNote:
		return "note " + strconv.Quote(a.Text)
	}
	return string(a.Verb) + " " + a.Client
}
