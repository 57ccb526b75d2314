package program

import (
	"math/big"
	"slices"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

func (c *checker) expression(e syntax.Expr) expression {
	c.enter(start(e))
	defer c.leave()
	switch e := e.(type) {
	case *syntax.Ident:
		return c.name(e)
	case *syntax.Literal:
		return c.literal(e)
	case *syntax.ParenExpr:
		return c.expression(e.X)
	case *syntax.UnaryExpr:
		switch e.Op {
		case syntax.NOT:
			return &negation{c.expression(e.X)}
		case syntax.MINUS:
			return &minus{at(e.OpPos), c.expression(e.X)}
		}
		c.fail(at(e.OpPos), "%s before a value is not allowed", "值的前面不允许有 %s", e.Op)
	case *syntax.BinaryExpr:
		p := at(e.OpPos)
		c.operator(p, e.Op)
		x, y := c.expression(e.X), c.expression(e.Y)
		if e.Op == syntax.AND || e.Op == syntax.OR {
			return &logic{e.Op == syntax.AND, x, y}
		}
		return &binary{p, e.Op, x, y}
	case *syntax.CondExpr:
		return &choice{c.expression(e.Cond), c.expression(e.True), c.expression(e.False)}
	case *syntax.DotExpr:
		return c.attribute(e)
	case *syntax.CallExpr:
		return c.call(e)
	case *syntax.LambdaExpr:
		c.fail(at(e.Lambda), "lambda is not allowed: define a function with def", "不允许 lambda：请用 def 定义函数")
	case *syntax.TupleExpr:
		c.fail(start(e), "a tuple is not allowed: a function returns one value, a name holds one",
			"不允许元组：函数只返回一个值，一个名字也只存一个值")
	case *syntax.ListExpr:
		c.fail(at(e.Lbrack), "a list is not allowed: loop over c.nodes or range(n)", "不允许列表：请对 c.nodes 或 range(n) 循环")
	case *syntax.DictExpr:
		c.fail(at(e.Lbrace), "a dictionary is not allowed: what outlives an attempt belongs in Redis or in the lease",
			"不允许字典：要留到下一次尝试的数据，应放在 Redis 或租约里")
	case *syntax.Comprehension:
		c.fail(at(e.Lbrack), "a comprehension is not allowed: use a for loop", "不允许推导式：请用 for 循环")
	case *syntax.IndexExpr:
		c.fail(at(e.Lbrack), "an index is not allowed: there are no lists; loop over c.nodes or range(n)",
			"不允许下标：这里没有列表，请对 c.nodes 或 range(n) 循环")
	case *syntax.SliceExpr:
		c.fail(at(e.Lbrack), "a slice is not allowed", "不允许切片")
	}
	c.fail(start(e), "this expression is not allowed", "不允许这种表达式")
	return nil
}

// operator refuses the operators that are not in the language.
func (c *checker) operator(p position, op syntax.Token) {
	switch op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT,
		syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE,
		syntax.AND, syntax.OR:
	case syntax.SLASH:
		c.fail(p, "/ is not allowed: numbers are whole, use //", "不允许 /：数都是整数，请用 //")
	case syntax.IN, syntax.NOT_IN:
		c.fail(p, "%s is not allowed: compare with ==", "不允许 %s：请用 == 比较", op)
	default:
		c.fail(p, "the operator %s is not allowed", "不允许运算符 %s", op)
	}
}

func (c *checker) literal(e *syntax.Literal) expression {
	p := at(e.TokenPos)
	switch value := e.Value.(type) {
	case int64:
		return &constant{Int(value)}
	case *big.Int:
		c.fail(p, "the number does not fit in 64 bits", "这个数超出了 64 位")
	case float64:
		c.fail(p, "a fraction is not allowed: numbers are whole; write milliseconds", "不允许小数：数都是整数，请改用毫秒")
	case string:
		if e.Token == syntax.BYTES {
			c.fail(p, "bytes are not allowed: write the string without b", "不允许字节串：请去掉字符串前面的 b")
		}
		if len(value) > maxString {
			c.fail(p, "the string is longer than %d bytes", "字符串超过 %d 字节", maxString)
		}
		c.uses.literals = append(c.uses.literals, value)
		return &constant{String(value)}
	}
	c.fail(p, "this literal is not allowed", "不允许这种字面量")
	return nil
}

func (c *checker) name(e *syntax.Ident) expression {
	p := at(e.NamePos)
	if slot, ok := c.slots[e.Name]; ok && c.current != nil {
		return &variable{p, slot, e.Name}
	}
	switch e.Name {
	case "None":
		return &constant{None}
	case "True", "False":
		return &constant{Bool(e.Name == "True")}
	}
	if value, ok := c.constants[e.Name]; ok {
		if slices.Contains(options, e.Name) && c.current != nil {
			c.fail(p, "%s is only the default of an option, and a run may choose another: %s",
				"%s 只是选项的默认值，运行时可以另选：%s", e.Name, ownOption(e.Name))
		}
		return &constant{value}
	}
	if c.functions[e.Name] != nil || slices.Contains(builtins, e.Name) {
		c.fail(p, "%s is a function: you can call it, but not use it as a value", "%s 是函数：可以调用，不能当作值", e.Name)
	}
	c.fail(p, "%s is not defined%s", "%s 没有定义%s", e.Name, lang.DidYouMean(e.Name, c.visible()))
	return nil
}

func ownOption(name string) lang.Text {
	if name == "timeout" || name == "timeout_ms" {
		return lang.Format("use c.%s", "请用 c.%s", name)
	}
	return lang.Format("the driver uses it, not the program", "它由驱动程序使用，程序不用")
}

// visible lists the names in scope of an expression, for suggestions.
func (c *checker) visible() []string {
	names := slices.Clone(builtins)
	names = append(names, "None", "True", "False")
	if c.current != nil {
		names = append(names, c.current.variables...)
	}
	for name := range c.places {
		names = append(names, name)
	}
	return names
}
