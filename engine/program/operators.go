package program

import (
	"fmt"
	"math"
	"strings"

	"go.starlark.net/syntax"
)

// binaryValue applies an operator as Python would. The complaint, if any, is a
// sentence.
func binaryValue(op syntax.Token, x, y Value) (v Value, complaint string) {
	switch op {
	case syntax.EQL:
		return Bool(x == y), ""
	case syntax.NEQ:
		return Bool(x != y), ""
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return compare(op, x, y)
	}
	if x.kind == KindInt && y.kind == KindInt {
		return arithmetic(op, x.n, y.n)
	}
	if op == syntax.PLUS && x.kind == KindString && y.kind == KindString {
		if len(x.s)+len(y.s) > maxString {
			return None, fmt.Sprintf("the string would be longer than %d bytes", maxString)
		}
		return String(x.s + y.s), ""
	}
	return None, unsuited(x, y, "does not go with", op.String())
}

func compare(op syntax.Token, x, y Value) (Value, string) {
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
		order = strings.Compare(x.s, y.s)
	default:
		return None, unsuited(x, y, "was compared with", op.String())
	}
	switch op {
	case syntax.LT:
		return Bool(order < 0), ""
	case syntax.LE:
		return Bool(order <= 0), ""
	case syntax.GT:
		return Bool(order > 0), ""
	}
	return Bool(order >= 0), ""
}

// unsuited says what went wrong between two values, and how to mend the two
// mistakes that a lock program invites: a nil reply, and a number in a string.
func unsuited(x, y Value, relation, op string) string {
	if y.kind == KindNone || y.kind == KindString && x.kind != KindNone {
		x, y = y, x // the surprising one first
	}
	sentence := fmt.Sprintf("%s %s %s (%s)", x.noun(), relation, y.noun(), op)
	switch {
	case x.kind == KindNone:
		return sentence + ": the key did not exist, look for None first"
	case x.kind == KindString && y.kind == KindInt:
		return sentence + ": int(…) makes a number of a string, str(…) a string of a number"
	case x.kind == KindLease || y.kind == KindLease:
		return sentence + ": a lease has .until in seconds, .until_ms and .token"
	}
	return sentence
}

const overflow = "the number does not fit in 64 bits"

func arithmetic(op syntax.Token, x, y int64) (Value, string) {
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
			return None, "division by zero"
		}
		if op == syntax.PERCENT {
			return Int(x - y*floorDivide(x, y)), "" // wraps to the right answer even at the edge
		}
		n, ok = floorDivide(x, y), x != math.MinInt64 || y != -1
	}
	if !ok {
		return None, overflow
	}
	return Int(n), ""
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
