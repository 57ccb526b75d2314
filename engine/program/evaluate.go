package program

import (
	"strconv"

	"go.starlark.net/syntax"
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
