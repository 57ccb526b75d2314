package program

import (
	"math"
	"strconv"

	"lockstep/engine/lang"
)

// A Value is the result of an expression or a client's observation: small,
// comparable with ==, and without pointers to anything that could change. The
// zero Value is None.
type Value struct {
	kind Kind
	ends bool // a lease: whether it ends, at n
	n    int64
	s    string
}

// Kind tells the type of a Value.
type Kind uint8

// The kinds of Value that cross the border of this package. KindFailure is an
// observation only: a program sees it as False.
const (
	KindNone Kind = iota
	KindBool
	KindInt
	KindString
	KindLease
	KindFailure

	// These live only while a phase is evaluated.
	kindUnset   // a variable that nothing was assigned to yet
	kindClient  // c
	kindNodes   // c.nodes
	kindNode    // one of c.nodes: number n
	kindStorage // c.storage
)

// None is the nil reply of Redis, and "not acquired".
var None = Value{}

// Bool makes a truth value.
func Bool(b bool) Value {
	v := Value{kind: KindBool}
	if b {
		v.n = 1
	}
	return v
}

// Int makes a number: an integer reply, or a clock reading in milliseconds.
func Int(n int64) Value { return Value{kind: KindInt, n: n} }

// String makes a string: a bulk or status reply.
func String(s string) Value { return Value{kind: KindString, s: s} }

// Lease makes the value of c.lease(…): a lease that runs while the client's
// clock is before untilMs, or for ever unless it ends.
func Lease(untilMs int64, ends bool, token string) Value {
	if !ends {
		untilMs = 0
	}
	return Value{kind: KindLease, ends: ends, n: untilMs, s: token}
}

// Failure is the observation that a try_ command failed: an error reply, or a
// message that was lost.
func Failure() Value { return Value{kind: KindFailure} }

// Kind returns the type of v.
func (v Value) Kind() Kind { return v.kind }

// IsNone reports whether v is None.
func (v Value) IsNone() bool { return v.kind == KindNone }

// AsInt returns the number in v, if it is one.
func (v Value) AsInt() (n int64, ok bool) { return v.n, v.kind == KindInt }

// AsString returns the string in v, if it is one.
func (v Value) AsString() (s string, ok bool) { return v.s, v.kind == KindString }

// AsBool returns the truth value in v, if it is one.
func (v Value) AsBool() (b, ok bool) { return v.n != 0, v.kind == KindBool }

// Lease reads v, the result of acquire, as a lease: a number is the Unix
// second of its end; c.lease(…) gives its end; anything else (True, a
// token) never ends. None is no lease: it ended before time began.
func (v Value) Lease() (untilMs int64, ends bool, token string) {
	switch v.kind {
	case KindNone, KindFailure:
		return math.MinInt64, true, ""
	case KindInt:
		ms, ok := multiply(v.n, 1000)
		if !ok { // beyond the range of milliseconds
			ms = math.MaxInt64
			if v.n < 0 {
				ms = math.MinInt64
			}
		}
		return ms, true, ""
	case KindLease:
		return v.n, v.ends, v.s
	case KindString:
		return 0, false, v.s
	}
	return 0, false, ""
}

// Rewritten returns v with the text in it rewritten.
func (v Value) Rewritten(rewrite func(string) string) Value {
	if v.s != "" {
		v.s = rewrite(v.s)
	}
	return v
}

// String shows v as it would be written in a program.
func (v Value) String() string {
	switch v.kind {
	case KindNone:
		return "None"
	case KindBool:
		if v.n != 0 {
			return "True"
		}
		return "False"
	case KindInt:
		return strconv.FormatInt(v.n, 10)
	case KindString:
		return strconv.Quote(v.s)
	case KindLease:
		var arguments string
		if v.s != "" {
			arguments = "token=" + strconv.Quote(v.s)
		}
		if v.ends {
			if arguments != "" {
				arguments += ", "
			}
			arguments += "until_ms=" + strconv.FormatInt(v.n, 10)
		}
		return "c.lease(" + arguments + ")"
	case KindFailure:
		return "failure"
	case kindClient:
		return "c"
	case kindNodes:
		return "c.nodes"
	case kindNode:
		return "node " + strconv.FormatInt(v.n+1, 10)
	case kindStorage:
		return "c.storage"
	}
	return "unset"
}

// truth follows Python: None, False, 0, "" and nothing to iterate over are false.
func (v Value) truth() bool {
	switch v.kind {
	case KindNone, KindFailure:
		return false
	case KindBool, KindInt, kindNodes:
		return v.n != 0
	case KindString:
		return v.s != ""
	}
	return true
}

// noun names the type of v for the middle of a sentence.
func (v Value) noun() lang.Text {
	switch v.kind {
	case KindNone:
		return lang.Both("a nil reply (None)", "nil 回复（None）")
	case KindBool:
		return lang.Format("a truth value (%s)", "布尔值（%s）", v.String())
	case KindInt:
		return lang.Format("a number (%s)", "数（%s）", v.String())
	case KindString:
		return lang.Format("a string (%s)", "字符串（%s）", abbreviate(v.s))
	case KindLease:
		return lang.Both("a lease", "租约")
	case kindClient:
		return lang.Both("the client", "客户端")
	case kindNodes:
		return lang.Both("the list of nodes", "节点列表")
	case kindNode:
		return lang.Both("a node", "节点")
	case kindStorage:
		return lang.Both("the protected resource", "受保护的资源")
	}
	return lang.Both("a failed command", "失败的命令")
}

// abbreviate quotes s, cut so that a sentence stays a sentence.
func abbreviate(s string) string {
	const most = 32
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
