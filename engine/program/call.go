package program

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// call checks the function and the arguments of a call: their names and numbers
// are known before anything runs.
func (c *checker) call(e *syntax.CallExpr) expression {
	switch fn := e.Fn.(type) {
	case *syntax.Ident:
		return c.functionCall(fn, e)
	case *syntax.DotExpr:
		if c.current == nil {
			c.fail(start(e), "a constant is worked out before there is a client: call this in a function",
				"常量在客户端出现之前就已算好：请在函数里调用它")
		}
		return c.method(fn, e)
	}
	c.fail(start(e), "only a named function or a method can be called", "只能调用有名字的函数或方法")
	return nil
}

func (c *checker) functionCall(fn *syntax.Ident, e *syntax.CallExpr) expression {
	p, name := at(fn.NamePos), fn.Name
	if _, ok := c.slots[name]; ok && c.current != nil {
		c.fail(p, "%s is a variable, not a function", "%s 是变量，不是函数", name)
	}
	if slices.Contains(builtins, name) {
		return c.builtin(p, name, e)
	}
	callee := c.functions[name]
	switch {
	case callee == nil && name == "print":
		c.fail(p, "print is not allowed: each step is on the timeline already", "不允许 print：每一步都已经画在时间线上")
	case callee == nil:
		c.fail(p, "%s is not defined%s", "%s 没有定义%s", name, lang.DidYouMean(name, c.visible()))
	case c.current == nil:
		c.fail(p, "a constant cannot call a function of the program", "常量不能调用程序里的函数")
	}
	arguments := c.positional(e.Args, name)
	if len(arguments) != callee.params {
		c.fail(at(e.Lparen), "%s takes %s, but got %d", "%s 需要 %s，却给了 %d 个", name, argumentCount(callee.params), len(arguments))
	}
	c.current.calls = append(c.current.calls, callSite{callee, p})
	return &helperCall{p, callee, arguments}
}

func (c *checker) builtin(p position, name string, e *syntax.CallExpr) expression {
	arguments := c.positional(e.Args, name)
	switch name {
	case "range":
		c.fail(p, "range stands only in for … in range(n)", "range 只能用在 for … in range(n) 里")
	case "min", "max":
		if len(arguments) < 2 {
			c.fail(at(e.Lparen), "%s takes two numbers or more", "%s 需要两个以上的数", name)
		}
	default:
		if len(arguments) != 1 {
			c.fail(at(e.Lparen), "%s takes 1 argument, but got %d", "%s 需要 1 个参数，却给了 %d 个", name, len(arguments))
		}
	}
	return &builtinCall{p, name, arguments}
}

// positional checks arguments that have no names.
func (c *checker) positional(arguments []syntax.Expr, callee string) []expression {
	checked := make([]expression, 0, len(arguments))
	for _, a := range arguments {
		if keyword, _ := c.keyword(a); keyword != nil {
			c.fail(at(keyword.NamePos), "%s takes no argument by name", "%s 不接受按名字给出的参数", callee)
		}
		checked = append(checked, c.expression(a))
	}
	return checked
}

// keyword splits name=value, and refuses *arguments.
func (c *checker) keyword(a syntax.Expr) (*syntax.Ident, syntax.Expr) {
	switch a := a.(type) {
	case *syntax.UnaryExpr:
		if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
			c.fail(at(a.OpPos), "%s before an argument is not allowed", "参数前面不允许有 %s", a.Op)
		}
	case *syntax.BinaryExpr:
		if a.Op == syntax.EQ {
			return a.X.(*syntax.Ident), a.Y
		}
	}
	return nil, nil
}

// method checks a call on the client, or on a node.
func (c *checker) method(fn *syntax.DotExpr, e *syntax.CallExpr) expression {
	p, name := at(fn.Name.NamePos), fn.Name.Name
	of := c.expression(fn.X)
	if len(e.Args) > 0 && slices.Contains(bareMethods, name) {
		c.fail(at(e.Lparen), "%s takes no argument", "%s 不带参数", name)
	}
	switch name {
	case "now", "now_ms":
		return &clockCall{p, of, name == "now_ms"}
	case "token":
		c.uses.token = true
		return &tokenCall{p, of}
	case "work":
		c.current.works = append(c.current.works, p)
		return &workCall{p, of}
	case "renew":
		c.current.renewals = append(c.current.renewals, p)
		return c.renewal(p, of, e)
	case "read", "try_read", "write", "try_write", "commit", "try_commit":
		c.current.commands = append(c.current.commands, p)
		return c.storage(p, of, name, e)
	case "lease":
		return c.lease(p, of, e)
	}
	plain, try := strings.CutPrefix(name, "try_")
	called := commandNamed(plain)
	if called == nil {
		c.unknown(p, name, true)
	}
	c.current.commands = append(c.current.commands, p)
	checked := &commandCall{position: p, of: of, name: name, try: try, words: []string{called.redis}}
	if called.redis == "EVAL" {
		c.script(checked, e)
	} else {
		c.arguments(checked, called, e)
	}
	return checked
}

func (c *checker) lease(p position, of expression, e *syntax.CallExpr) expression {
	checked := &leaseCall{position: p, of: of}
	for _, a := range e.Args {
		keyword, value := c.keyword(a)
		if keyword == nil {
			c.fail(start(a), "c.lease takes its arguments by name: token=…, until=… or until_ms=…",
				"c.lease 的参数要写出名字：token=…、until=… 或 until_ms=…")
		}
		var field *expression
		switch keyword.Name {
		case "token":
			field = &checked.token
		case "until":
			field = &checked.until
		case "until_ms":
			field = &checked.untilMs
		default:
			c.fail(at(keyword.NamePos), "c.lease has no %s: it takes token, until or until_ms",
				"c.lease 没有 %s：它接受 token、until 或 until_ms", keyword.Name)
		}
		if *field != nil {
			c.fail(at(keyword.NamePos), "%s is given twice", "%s 给了两次", keyword.Name)
		}
		*field = c.expression(value)
	}
	if checked.until != nil && checked.untilMs != nil {
		c.fail(p, "until (seconds) and until_ms are the same thing: give one of them", "until（秒）和 until_ms 是同一回事：只给其中一个")
	}
	return checked
}

// renewal checks c.renew, which takes the new end as c.lease does.
func (c *checker) renewal(p position, of expression, e *syntax.CallExpr) expression {
	if len(e.Args) == 1 {
		keyword, value := c.keyword(e.Args[0])
		if keyword != nil && keyword.Name == "until" {
			return &renewCall{p, of, c.expression(value), 1000}
		}
		if keyword != nil && keyword.Name == "until_ms" {
			return &renewCall{p, of, c.expression(value), 1}
		}
	}
	c.fail(p, "c.renew takes the new end of the lease, by name: until=… (seconds) or until_ms=…",
		"c.renew 需要租约的新到期时间，并写出名字：until=…（秒）或 until_ms=…")
	return nil
}

// storage checks a request to the protected resource.
func (c *checker) storage(p position, of expression, name string, e *syntax.CallExpr) expression {
	verb := strings.TrimPrefix(name, "try_")
	checked := &storageCall{position: p, of: of, name: name, verb: verb, try: verb != name}
	staged := false
	for i, a := range e.Args {
		keyword, value := c.keyword(a)
		switch {
		case keyword == nil && verb == "write" && i == 0:
			checked.value = c.expression(a)
		case keyword != nil && keyword.Name == "fence" && verb != "commit" && checked.fence == nil:
			checked.fence = c.expression(value)
		case keyword != nil && keyword.Name == "commit" && checked.value != nil && isFalse(value):
			staged = true
		default:
			c.wrongRequest(p, name, verb)
		}
	}
	if staged {
		if checked.uncommitted = true; checked.fence != nil {
			c.fail(p, "a write with commit=False shows no fencing token", "带 commit=False 的写入不出示防护令牌")
		}
	}
	c.uses.number = c.uses.number || verb != "write" || checked.value != nil
	return checked
}

// isFalse reports whether an argument is the word False.
func isFalse(e syntax.Expr) bool {
	word, ok := e.(*syntax.Ident)
	return ok && word.Name == "False"
}

// wrongRequest refuses the arguments of a request to the protected resource.
func (c *checker) wrongRequest(p position, name, verb string) {
	switch verb {
	case "read":
		c.fail(p, "%[1]s takes nothing, or a fencing token by name: c.storage.%[1]s(fence=…)",
			"%[1]s 不带参数，或者带一个写出名字的防护令牌：c.storage.%[1]s(fence=…)", name)
	case "commit":
		c.fail(p, "%[1]s takes nothing: c.storage.%[1]s()", "%[1]s 不带参数：c.storage.%[1]s()", name)
	}
	c.fail(p, "call it as c.storage.%[1]s(), c.storage.%[1]s(number), c.storage.%[1]s(number, commit=False), or with a fencing token by name: c.storage.%[1]s(fence=…), c.storage.%[1]s(number, fence=…)",
		"用法是 c.storage.%[1]s()、c.storage.%[1]s(数)、c.storage.%[1]s(数, commit=False)，或者带一个写出名字的防护令牌：c.storage.%[1]s(fence=…)、c.storage.%[1]s(数, fence=…)", name)
}

// arguments checks the arguments of a Redis command against its table entry.
func (c *checker) arguments(checked *commandCall, called *command, e *syntax.CallExpr) {
	positional := 0
	var given []string
	for _, a := range e.Args {
		keyword, value := c.keyword(a)
		if keyword == nil {
			if len(given) > 0 {
				c.fail(start(a), "an argument without a name stands after one with a name", "没有名字的参数不能放在有名字的参数后面")
			}
			positional++
			checked.arguments = append(checked.arguments, argument{value: c.expression(a)})
			continue
		}
		p, name := at(keyword.NamePos), keyword.Name
		i := slices.IndexFunc(called.options, func(o option) bool { return o.keyword == name })
		if i < 0 {
			c.fail(p, "%s has no option %s; call it as %s", "%s 没有选项 %s：用法是 %s", checked.name, name, usage(checked.name, called))
		}
		if slices.Contains(given, name) {
			c.fail(p, "%s is given twice", "%s 给了两次", name)
		}
		given = append(given, name)
		o := called.options[i]
		checked.arguments = append(checked.arguments, argument{o.word, o.flag, c.expression(value)})
	}
	if positional != len(called.params) {
		c.fail(at(e.Lparen), "%s takes %s, but got %d; call it as %s", "%s 需要 %s，却给了 %d 个：用法是 %s", checked.name,
			argumentCount(len(called.params)), positional, usage(checked.name, called))
	}
}

// script checks c.eval: it takes only a named script, so no program brings Lua of
// its own, and the name is known before anything runs.
func (c *checker) script(checked *commandCall, e *syntax.CallExpr) {
	known := lang.Format("one of %s", "%s 之一", strings.Join(redis.ScriptNames(), ", "))
	if len(e.Args) == 0 {
		c.fail(at(e.Lparen), "%s takes the name of a script: %s", "%s 需要脚本的名字：%s", checked.name, known)
	}
	name, ok := e.Args[0].(*syntax.Literal)
	if !ok || name.Token != syntax.STRING {
		c.fail(start(e.Args[0]), "%s takes the name of a script in quotes: %s", "%s 需要用引号括起来的脚本名字：%s", checked.name, known)
	}
	lua, keys, args, ok := redis.Script(name.Value.(string))
	if !ok {
		c.fail(at(name.TokenPos), "%s is not the name of a script (a program brings no Lua of its own); choose %s",
			"%s 不是脚本的名字（程序不能自带 Lua）：应为 %s",
			abbreviate(name.Value.(string)), known)
	}
	arguments := c.positional(e.Args[1:], checked.name)
	if want := keys + args; len(arguments) != want {
		c.fail(at(e.Lparen), "the script %s takes %s after its name, but got %d", "脚本 %s 的名字后面需要 %s，却给了 %d 个",
			name.Value, argumentCount(want), len(arguments))
	}
	checked.words = append(checked.words, lua, strconv.Itoa(keys))
	for _, a := range arguments {
		checked.arguments = append(checked.arguments, argument{value: a})
	}
}

// attribute checks a name after a dot that is not called.
func (c *checker) attribute(e *syntax.DotExpr) expression {
	p, name := at(e.Name.NamePos), e.Name.Name
	if c.current == nil {
		c.fail(start(e), "a constant is worked out before there is a client: use this in a function",
			"常量在客户端出现之前就已算好：请在函数里使用它")
	}
	of := c.expression(e.X)
	if !slices.Contains(attributes, name) {
		c.unknown(p, name, false)
	}
	c.uses.name = c.uses.name || name == "name"
	c.uses.storage = c.uses.storage || name == "storage"
	return &attribute{p, of, name}
}

// unknown refuses a name after a dot.
func (c *checker) unknown(p position, name string, called bool) {
	plain := strings.TrimPrefix(name, "try_")
	var methods []string
	for i := range commands {
		methods = append(methods, commands[i].name)
	}
	switch {
	case called && slices.Contains(attributes, name):
		c.fail(p, "%s is a value: write it without ()", "%s 是一个值：不要写 ()", name)
	case !called && (slices.Contains(clientMethods, name) || slices.Contains(storageMethods, name) || slices.Contains(methods, plain)):
		c.fail(p, "%s is a method: call it with ()", "%s 是方法：请加上 () 来调用", name)
	}
	known := slices.Concat(methods, clientMethods, storageMethods, attributes)
	if near := lang.Nearest(name, known); len(near) > 0 {
		c.fail(p, "there is no .%s; did you mean %s?", "没有 .%s；是不是想写 %s？", name, lang.AnyOf(near))
	}
	if near := lang.Nearest(plain, methods); plain != name && len(near) > 0 {
		c.fail(p, "there is no .%s; did you mean try_%s?", "没有 .%s；是不是想写 try_%s？", name, lang.Both(strings.Join(near, " or try_"), strings.Join(near, " 或 try_")))
	}
	if called {
		c.fail(p, "there is no .%s(): a client has %s, and the commands %s", "没有 .%s()：客户端有 %s，以及命令 %s", name,
			strings.Join(clientMethods, ", "), strings.Join(methods, ", "))
	}
	c.fail(p, "there is no .%s: a client has timeout, timeout_ms, name, nodes, storage; a lease has token, until, until_ms",
		"没有 .%s：客户端有 timeout、timeout_ms、name、nodes、storage；租约有 token、until、until_ms", name)
}

// usage writes a command as it is called: set(key, value, nx=True, px=…).
func usage(name string, c *command) string {
	words := slices.Clone(c.params)
	for _, o := range c.options {
		if o.flag {
			words = append(words, o.keyword+"=True")
		} else {
			words = append(words, o.keyword+"=…")
		}
	}
	return name + "(" + strings.Join(words, ", ") + ")"
}

func argumentCount(n int) lang.Text {
	if n == 1 {
		return lang.Format("1 argument", "1 个参数")
	}
	return lang.Format("%d arguments", "%d 个参数", n)
}
