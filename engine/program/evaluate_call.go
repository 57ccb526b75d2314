package program

import (
	"strconv"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

func (m *machine) clock(e *clockCall) (Value, bool) {
	if !m.client(e.position, e.of, "now") {
		return None, false
	}
	ms := m.nowMs
	if !m.frozen {
		v, ok := m.observe(e.position)
		if !ok {
			m.op = Op{Kind: Clock}
			return None, false
		}
		if v.kind != KindInt {
			m.fail(e.position, "the clock read %s", "时钟读到的是%s", v.noun())
			return None, false
		}
		ms = v.n
	}
	if !e.ms {
		ms = floorDivide(ms, 1000)
	}
	return Int(ms), true
}

func (m *machine) work(e *workCall) (Value, bool) {
	if !m.client(e.position, e.of, "work") {
		return None, false
	}
	if _, ok := m.observe(e.position); !ok {
		m.op = Op{Kind: Hold}
		return None, false
	}
	return None, true
}

// renew tells the world that the client now believes in its lease for longer.
func (m *machine) renew(e *renewCall) (Value, bool) {
	if !m.client(e.position, e.of, "renew") {
		return None, false
	}
	until, ok := m.end(e.position, e.until, e.scale)
	if !ok {
		return None, false
	}
	if _, ok := m.observe(e.position); !ok {
		m.op = Op{Kind: Renew, Until: until}
		return None, false
	}
	return None, true
}

// storage returns the answer of the protected resource, or stops with the words
// to send.
func (m *machine) storage(e *storageCall) (Value, bool) {
	of, ok := m.evaluate(e.of)
	if !ok {
		return None, false
	}
	if of.kind != kindStorage {
		m.fail(e.position, "%s is a method of c.storage, not of %s", "%s 是 c.storage 的方法，不属于%s", e.name, of.noun())
		return None, false
	}
	value, ok := m.numberOf(e.position, e.value, lang.Both("the storage keeps a number, not %s", "存储里存的是一个数，不能是%s"))
	if !ok {
		return None, false
	}
	fence, ok := m.numberOf(e.position, e.fence, lang.Both("a fencing token is a number, not %s", "防护令牌是一个数，不能是%s"))
	if !ok {
		return None, false
	}
	if v, ok := m.observe(e.position); ok {
		return m.answer(e.position, e.name, e.try, v)
	}
	m.op = Op{Kind: Storage, Command: []string{e.verb}, Try: e.try}
	switch {
	case e.fence != nil && e.value == nil && e.verb == "write":
		m.op.Command = append(m.op.Command, strconv.FormatInt(fence, 10)) // it writes no number: the token stands alone
		return None, false
	case e.value != nil:
		m.op.Command = append(m.op.Command, "value="+strconv.FormatInt(value, 10))
	}
	if e.fence != nil {
		m.op.Command = append(m.op.Command, "fence="+strconv.FormatInt(fence, 10))
	}
	if e.uncommitted {
		m.op.Command = append(m.op.Command, Uncommitted)
	}
	return None, false
}

// numberOf evaluates an argument that is a number, or a number in a string: a
// lease keeps its token as one. It returns 0 for an argument that is not given.
func (m *machine) numberOf(p position, e expression, complaint lang.Text) (int64, bool) {
	if e == nil {
		return 0, true
	}
	v, ok := m.evaluate(e)
	if !ok {
		return 0, false
	}
	n, ok := m.number(v)
	if !ok {
		m.fail(p, complaint.English, complaint.Chinese, v.noun())
	}
	return n, ok
}

// token returns a text that is unique to an attempt of a client, the same at each
// call.
func (m *machine) token(p position) (Value, bool) {
	m.made += piece
	return m.text(p, m.env.Client+"-"+strconv.Itoa(m.env.Attempt))
}

func (m *machine) lease(e *leaseCall) (Value, bool) {
	if !m.client(e.position, e.of, "lease") {
		return None, false
	}
	made := Value{kind: KindLease}
	if e.token != nil {
		v, ok := m.evaluate(e.token)
		if !ok {
			return None, false
		}
		switch v.kind {
		case KindString:
			made.s = v.s
		case KindInt:
			made.s = strconv.FormatInt(v.n, 10)
			m.made += piece
		default:
			m.fail(e.position, "the token of a lease is a string or a number, not %s", "租约的 token 是字符串或数，不能是%s", v.noun())
			return None, false
		}
	}
	end, scale := e.untilMs, int64(1)
	if e.until != nil {
		end, scale = e.until, 1000
	}
	if end == nil {
		return made, true
	}
	until, ok := m.end(e.position, end, scale)
	made.ends, made.n = true, until
	return made, ok
}

// end returns the end of a lease, in ms.
func (m *machine) end(p position, until expression, scale int64) (int64, bool) {
	v, ok := m.evaluate(until)
	if !ok {
		return 0, false
	}
	if v.kind != KindInt {
		m.fail(p, "the end of a lease is a number, not %s", "租约的到期时间是数，不能是%s", v.noun())
		return 0, false
	}
	ms, ok := multiply(v.n, scale)
	if !ok {
		m.fail(p, overflow.English, overflow.Chinese)
	}
	return ms, ok
}

// call runs a function of the program. Its variables lie above the caller's;
// the arguments are evaluated first, and may call functions themselves.
func (m *machine) call(e *helperCall) (Value, bool) {
	if m.calls++; m.calls > maxNesting {
		m.fail(e.position, "calls are nested deeper than %d", "函数调用嵌套超过 %d 层", maxNesting)
		return None, false
	}
	first := m.top
	for _, a := range e.arguments {
		v, ok := m.evaluate(a)
		if !ok || !m.push(e.position, v) {
			return None, false
		}
	}
	if !m.open(e.callee) {
		return None, false
	}
	base, line := m.base, m.line
	m.base, m.result = first, None
	if m.block(e.callee.body) == stopped {
		return None, false
	}
	v := m.result
	m.base, m.top, m.line = base, first, line
	m.result = None // a caller that falls off its end returns None
	m.calls--
	return v, true
}

func (m *machine) builtin(e *builtinCall) (Value, bool) {
	best, ok := m.evaluate(e.arguments[0])
	if !ok {
		return None, false
	}
	switch e.name {
	case "int":
		return m.toInt(e.position, best)
	case "str":
		return m.toString(e.position, best)
	case "len":
		switch best.kind {
		case kindNodes:
			return Int(best.n), true
		case KindString:
			return Int(int64(len(best.s))), true
		}
		m.fail(e.position, "%s has no length", "%s没有长度", best.noun())
		return None, false
	}
	better := syntax.LT
	if e.name == "max" {
		better = syntax.GT
	}
	for _, a := range e.arguments[1:] {
		v, ok := m.evaluate(a)
		if !ok {
			return None, false
		}
		isBetter, ok := m.operate(e.position, better, v, best)
		if !ok {
			return None, false
		}
		if isBetter.truth() {
			best = v
		}
	}
	return best, true
}

// command evaluates the arguments of a Redis command, which may be operations
// themselves, then returns its reply, or stops with the words to send.
func (m *machine) command(e *commandCall) (Value, bool) {
	of, ok := m.evaluate(e.of)
	if !ok {
		return None, false
	}
	node := 0
	switch of.kind {
	case kindClient:
	case kindNode:
		node = int(of.n)
	default:
		m.fail(e.position, "%s is a method of the client and of its nodes, not of %s",
			"%s 是客户端及其节点的方法，不属于%s", e.name, of.noun())
		return None, false
	}
	var values [mostArguments]Value
	for i := range e.arguments {
		a := &e.arguments[i]
		v, ok := m.evaluate(a.value)
		if !ok {
			return None, false
		}
		if a.flag {
			if v.kind != KindBool {
				m.fail(e.position, "the option %s is True or False, not %s", "选项 %s 只能是 True 或 False，不能是%s", a.word, v.noun())
				return None, false
			}
		} else if v.kind != KindInt && v.kind != KindString {
			m.fail(e.position, "Redis takes strings and numbers, not %s", "Redis 只接受字符串和数，不能是%s", v.noun())
			return None, false
		}
		values[i] = v
	}
	reply, ok := m.observe(e.position)
	if !ok {
		if m.err == nil {
			m.op = Op{Kind: Command, Node: node, Command: e.send(values[:len(e.arguments)]), Try: e.try}
		}
		return None, false
	}
	return m.answer(e.position, e.name, e.try, reply)
}

// send assembles the words of a command.
func (e *commandCall) send(values []Value) []string {
	words := make([]string, len(e.words), len(e.words)+2*len(values))
	copy(words, e.words)
	for i, v := range values {
		a := &e.arguments[i]
		if a.flag {
			if v.truth() {
				words = append(words, a.word)
			}
			continue
		}
		if a.word != "" {
			words = append(words, a.word)
		}
		if v.kind == KindInt {
			words = append(words, strconv.FormatInt(v.n, 10))
		} else {
			words = append(words, v.s)
		}
	}
	return words
}

// answer returns the reply of a command or of the storage, or False when it failed and
// the program used a try_ method.
func (m *machine) answer(p position, name string, try bool, v Value) (Value, bool) {
	switch v.kind {
	case KindNone, KindInt:
		return v, true
	case KindString:
		return m.text(p, v.s)
	case KindFailure:
		if try {
			return Bool(false), true
		}
		m.fail(p, "%s failed", "%s 失败", name)
		return None, false
	}
	m.fail(p, "the reply of %s was %s", "%s 的回复是%s", name, v.noun())
	return None, false
}
