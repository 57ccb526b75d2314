package program

import (
	"math"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

// binaryValue applies an operator as Python does. The complaint tells what is
// wrong, if anything is.
func binaryValue(op syntax.Token, x, y Value) (v Value, complaint *lang.Text) {
	switch op {
	case syntax.EQL:
		return Bool(x == y), nil
	case syntax.NEQ:
		return Bool(x != y), nil
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return compare(op, x, y)
	}
	if x.kind == KindInt && y.kind == KindInt {
		return arithmetic(op, x.n, y.n)
	}
	if op == syntax.PLUS && x.kind == KindString && y.kind == KindString {
		if len(x.s)+len(y.s) > maxString {
			return None, complain("the string would be longer than %d bytes", "字符串会超过 %d 字节", maxString)
		}
		return String(x.s + y.s), nil
	}
	return None, unsuited(x, y, lang.Both("does not go with", "不能搭配"), op.String())
}

// compare orders numbers. Strings have no order. They are names and tokens, equal or
// not, and a lock that ranked its clients by name would treat them differently.
func compare(op syntax.Token, x, y Value) (Value, *lang.Text) {
	order := 0
	switch {
	case x.kind == KindInt && y.kind == KindInt:
		switch {
		case x.n < y.n:
			order = -1
		case x.n > y.n:
			order = 1
		}
	case x.kind == KindString && y.kind == KindString:
		return None, complain("strings have no order here, so %s and %s cannot be compared (%s): int(…) makes a number of a string",
			"这里的字符串没有大小之分，%s 和 %s 无法比较（%s）：int(…) 把字符串变成数", abbreviate(x.s), abbreviate(y.s), op.String())
	default:
		return None, unsuited(x, y, lang.Both("was compared with", "不能比较"), op.String())
	}
	switch op {
	case syntax.LT:
		return Bool(order < 0), nil
	case syntax.LE:
		return Bool(order <= 0), nil
	case syntax.GT:
		return Bool(order > 0), nil
	}
	return Bool(order >= 0), nil
}

// unsuited tells why an operator does not fit two values, and how to fix the two
// mistakes that a lock program invites: a nil reply, and a number in a string.
func unsuited(x, y Value, relation lang.Text, op string) *lang.Text {
	if y.kind == KindNone || y.kind == KindString && x.kind != KindNone {
		x, y = y, x // the surprising one first
	}
	hint := lang.Text{}
	switch {
	case x.kind == KindNone:
		hint = lang.Both(": the key did not exist, look for None first", "：键不存在，请先判断 None")
	case x.kind == KindString && y.kind == KindInt:
		hint = lang.Both(": int(…) makes a number of a string, str(…) a string of a number", "：int(…) 把字符串变成数，str(…) 把数变成字符串")
	case x.kind == KindLease || y.kind == KindLease:
		hint = lang.Both(": a lease has .until in seconds, .until_ms and .token", "：租约有 .until（秒）、.until_ms 和 .token")
	}
	return complain("%[1]s %[2]s %[3]s (%[4]s)%[5]s", "%[1]s和%[3]s%[2]s（%[4]s）%[5]s", x.noun(), relation, y.noun(), op, hint)
}

func complain(english, chinese string, arguments ...any) *lang.Text {
	s := lang.Format(english, chinese, arguments...)
	return &s
}

var overflow = lang.Both("the number does not fit in 64 bits", "这个数超出了 64 位")

func arithmetic(op syntax.Token, x, y int64) (Value, *lang.Text) {
	n, ok := int64(0), false
	switch op {
	case syntax.PLUS:
		n = x + y
		ok = (n > x) == (y > 0)
	case syntax.MINUS:
		n = x - y
		ok = (n < x) == (y > 0)
	case syntax.STAR:
		n, ok = multiply(x, y)
	case syntax.SLASHSLASH, syntax.PERCENT:
		if y == 0 {
			return None, complain("division by zero", "除数为零")
		}
		if op == syntax.PERCENT {
			return Int(x - y*floorDivide(x, y)), nil // wraps to the right answer even at the edge
		}
		n, ok = floorDivide(x, y), x != math.MinInt64 || y != -1
	}
	if !ok {
		return None, &overflow
	}
	return Int(n), nil
}

func multiply(x, y int64) (product int64, ok bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	if x == -1 && y == math.MinInt64 || y == -1 && x == math.MinInt64 {
		return 0, false
	}
	product = x * y
	return product, product/y == x
}

// floorDivide rounds down, as Python does and Go does not.
func floorDivide(x, y int64) int64 {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}
