package program

import (
	"strconv"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

// evaluate computes an expression. It returns false when the evaluation
// stopped: at an operation, or by an error.
func (m *machine) evaluate(e expression) (Value, bool) {
	if !m.step() {
		return None, false
	}
	switch e := e.(type) {
	case *constant:
		return e.value, true
	case *variable:
		v := m.stack[m.base+e.slot]
		if v.kind == kindUnset {
			m.fail(e.position, "%s has no value yet", "%s 还没有值", e.name)
			return None, false
		}
		return v, true
	case *binary:
		x, ok := m.evaluate(e.x)
		if !ok {
			return None, false
		}
		y, ok := m.evaluate(e.y)
		if !ok {
			return None, false
		}
		return m.operate(e.position, e.op, x, y)
	case *logic:
		x, ok := m.evaluate(e.x)
		if !ok || x.truth() != e.and {
			return x, ok
		}
		return m.evaluate(e.y)
	case *negation:
		v, ok := m.evaluate(e.value)
		return Bool(!v.truth()), ok
	case *minus:
		return m.minus(e)
	case *choice:
		condition, ok := m.evaluate(e.condition)
		switch {
		case !ok:
			return None, false
		case condition.truth():
			return m.evaluate(e.then)
		}
		return m.evaluate(e.otherwise)
	case *attribute:
		return m.attribute(e)
	case *clockCall:
		return m.clock(e)
	case *commandCall:
		return m.command(e)
	case *helperCall:
		return m.call(e)
	case *builtinCall:
		return m.builtin(e)
	case *tokenCall:
		if !m.client(e.position, e.of, "token") {
			return None, false
		}
		return m.token(e.position)
	case *leaseCall:
		return m.lease(e)
	case *workCall:
		return m.work(e)
	case *renewCall:
		return m.renew(e)
	case *storageCall:
		return m.storage(e)
	}
	return None, false
}

func (m *machine) operate(p position, op syntax.Token, x, y Value) (Value, bool) {
	v, complaint := binaryValue(op, x, y)
	if complaint != nil {
		m.fail(p, "%s", "%s", *complaint)
		return None, false
	}
	if v.kind == KindString {
		m.made += piece + len(v.s)
	}
	return v, true
}

func (m *machine) minus(e *minus) (Value, bool) {
	v, ok := m.evaluate(e.value)
	if !ok {
		return None, false
	}
	if v.kind != KindInt {
		m.fail(e.position, "only a number has a negative, not %s", "只有数才能取负，不能是%s", v.noun())
		return None, false
	}
	return m.operate(e.position, syntax.MINUS, Int(0), v)
}

func (m *machine) attribute(e *attribute) (Value, bool) {
	v, ok := m.evaluate(e.of)
	if !ok {
		return None, false
	}
	switch v.kind {
	case kindClient:
		switch e.name {
		case "timeout":
			return Int(floorDivide(m.env.Timeout, 1000)), true
		case "timeout_ms":
			return Int(m.env.Timeout), true
		case "name":
			return m.text(e.position, m.env.Client)
		case "nodes":
			return Value{kind: kindNodes, n: int64(max(1, m.env.Nodes))}, true
		case "storage":
			return Value{kind: kindStorage}, true
		case "token":
			m.fail(e.position, "token is a method of the client: call it with ()", "token 是客户端的方法：请加上 () 来调用")
			return None, false
		}
	case KindLease:
		switch e.name {
		case "token":
			if v.s == "" {
				return None, true
			}
			return String(v.s), true
		case "until", "until_ms":
			switch {
			case !v.ends:
				return None, true
			case e.name == "until":
				return Int(floorDivide(v.n, 1000)), true
			}
			return Int(v.n), true
		}
	}
	m.fail(e.position, "%s has no .%s", "%s没有 .%s", v.noun(), e.name)
	return None, false
}

// text bounds a string that comes from outside.
func (m *machine) text(p position, s string) (Value, bool) {
	if len(s) > maxString {
		m.fail(p, "a string is longer than %d bytes", "字符串超过 %d 字节", maxString)
		return None, false
	}
	return String(s), true
}

// client evaluates the part before the dot of a method that only c has.
func (m *machine) client(p position, of expression, method string) bool {
	v, ok := m.evaluate(of)
	if ok && v.kind != kindClient {
		m.fail(p, "%s is a method of the client, not of %s", "%s 是客户端的方法，不属于%s", method, v.noun())
	}
	return ok && v.kind == kindClient
}

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

func (m *machine) toInt(p position, v Value) (Value, bool) {
	if n, ok := m.number(v); ok {
		return Int(n), true
	}
	if v.kind == KindNone {
		m.fail(p, "int(None): the reply was nil, so there is no number in it", "int(None)：回复是 nil，里面没有数")
		return None, false
	}
	m.fail(p, "int(…) cannot make a number of %s", "int(…) 无法把%s变成数", v.noun())
	return None, false
}

// number returns a number, or the number in a string.
func (m *machine) number(v Value) (int64, bool) {
	switch v.kind {
	case KindInt:
		return v.n, true
	case KindString:
		m.made += 2 * len(v.s) // reading a digit takes longer than copying it
		n, err := strconv.ParseInt(v.s, 10, 64)
		return n, err == nil
	}
	return 0, false
}

func (m *machine) toString(p position, v Value) (Value, bool) {
	switch v.kind {
	case KindString:
		return v, true
	case KindInt, KindNone, KindBool:
		m.made += piece
		return String(v.String()), true
	}
	m.fail(p, "str(…) cannot make a string of %s", "str(…) 无法把%s变成字符串", v.noun())
	return None, false
}

// mostArguments is the size of the longest command: set with all its options.
const mostArguments = 10

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
