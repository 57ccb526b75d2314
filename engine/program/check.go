package program

import (
	"slices"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

// check turns syntax into the checked tree, and refuses everything off the
// allow-list: an unknown kind of node, too.
func check(name string, file *syntax.File) (p *Program, err *Error) {
	c := &checker{
		program:   name,
		constants: make(map[string]Value),
		places:    make(map[string]position),
		functions: make(map[string]*function),
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			p, err = nil, e
		default:
			panic(e)
		}
	}()
	return c.file(file), nil
}

// checker holds the state of a check. It gives up by panicking with an *Error,
// which check recovers.
type checker struct {
	program   string
	constants map[string]Value
	places    map[string]position // where a name at the top was given its meaning
	functions map[string]*function
	ordered   []*function

	uses    uses
	current *function      // nil: at the top of the file
	slots   map[string]int // variables of current
	loops   int            // open loops in current
	depth   int
}

func (c *checker) fail(p position, english, chinese string, arguments ...any) {
	panic(errorAt(c.program, p, lang.Format(english, chinese, arguments...)))
}

// file checks the top level first, so that a function may use names from below it,
// then the functions, then the graph of their calls.
func (c *checker) file(file *syntax.File) *Program {
	var definitions []*syntax.DefStmt
	for i, s := range file.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			c.header(s)
			definitions = append(definitions, s)
		case *syntax.AssignStmt:
			c.constant(s)
		case *syntax.ExprStmt:
			if literal, ok := s.X.(*syntax.Literal); !ok || literal.Token != syntax.STRING || i > 0 {
				c.fail(start(s), "only functions and constants stand at the top of a file", "文件顶层只能有函数和常量")
			}
		default:
			c.fail(start(s), "only functions and constants stand at the top of a file", "文件顶层只能有函数和常量")
		}
	}
	for i, d := range definitions {
		c.body(c.ordered[i], d)
	}
	defaults := c.defaults()
	w := &written{
		acquire: c.phase("acquire", 1, true),
		release: c.phase("release", 2, true),
		work:    c.phase("work", 2, false),
		holds:   c.phase("holds", 2, false),
	}
	c.graph(w)
	w.uses = c.uses
	return &Program{Defaults: defaults, behaviour: w}
}

// phase finds one of the functions that the driver calls.
func (c *checker) phase(name string, params int, required bool) *function {
	usage := name + "(c)"
	if params == 2 {
		usage = name + "(c, lease)"
	}
	f := c.functions[name]
	if f == nil {
		if required {
			c.fail(position{1, 1}, "the program does not define %s", "程序没有定义 %s", usage)
		}
		return nil
	}
	if f.params != params {
		c.fail(f.defined, "%s must be called as %s", "%s 的调用形式是 %s", name, usage)
	}
	return f
}

func (c *checker) declare(name *syntax.Ident) {
	p := at(name.NamePos)
	if slices.Contains(builtins, name.Name) {
		c.fail(p, "%s is a function of the language", "%s 是语言自带的函数", name.Name)
	}
	if first, ok := c.places[name.Name]; ok {
		c.fail(p, "%s is already defined at line %d", "%s 已经在第 %d 行定义过", name.Name, first.line)
	}
	c.places[name.Name] = p
}

func (c *checker) header(d *syntax.DefStmt) {
	c.declare(d.Name)
	f := &function{name: d.Name.Name, defined: at(d.Name.NamePos)}
	for _, param := range d.Params {
		name, ok := param.(*syntax.Ident)
		if !ok {
			c.fail(start(param), "a parameter is a plain name", "参数只能是一个普通的名字")
		}
		if slices.Contains(f.variables, name.Name) {
			c.fail(at(name.NamePos), "two parameters are named %s", "有两个参数都叫 %s", name.Name)
		}
		f.variables = append(f.variables, name.Name)
	}
	f.params = len(f.variables)
	if f.params > maxVariables {
		c.fail(f.defined, "%s has more than %d parameters", "%s 的参数超过 %d 个", f.name, maxVariables)
	}
	c.functions[f.name] = f
	c.ordered = append(c.ordered, f)
}

// constant evaluates a constant at the top of a file, once and for all.
func (c *checker) constant(s *syntax.AssignStmt) {
	name, ok := s.LHS.(*syntax.Ident)
	if !ok || s.Op != syntax.EQ {
		c.fail(start(s), "a constant is written NAME = value", "常量要写成 NAME = value")
	}
	value, err := evaluateConstant(c.program, at(name.NamePos), c.expression(s.RHS))
	if err != nil {
		panic(err)
	}
	c.declare(name)
	c.constants[name.Name] = value
}

// defaults reads the constants that are option defaults.
func (c *checker) defaults() Defaults {
	d := Defaults{
		Timeout:        c.duration("timeout"),
		Retry:          c.duration("retry"),
		AcquireTimeout: c.duration("acquire_timeout"),
	}
	if value, ok := c.constants["blocking"]; ok {
		blocking, ok := value.AsBool()
		if !ok {
			c.fail(c.places["blocking"], "blocking is True or False", "blocking 只能是 True 或 False")
		}
		d.Blocking = &blocking
	}
	return d
}

// duration reads name in seconds or name_ms in milliseconds, as milliseconds.
func (c *checker) duration(name string) int64 {
	ms := int64(0)
	for _, unit := range []struct {
		name string
		ms   int64
	}{{name, 1000}, {name + "_ms", 1}} {
		value, ok := c.constants[unit.name]
		if !ok {
			continue
		}
		n, ok := value.AsInt()
		if most := maxSeconds * 1000 / unit.ms; !ok || n < 1 || n > most {
			c.fail(c.places[unit.name], "%s is a whole number from 1 to %d", "%s 应为 1 到 %d 之间的整数", unit.name, most)
		}
		if ms != 0 {
			c.fail(c.places[unit.name], "%s and %s_ms are the same option", "%s 和 %s_ms 是同一个选项", name, name)
		}
		ms = n * unit.ms
	}
	return ms
}

// body checks a function. As in Python, a name that is assigned to anywhere in
// a function is a variable of it everywhere.
func (c *checker) body(f *function, d *syntax.DefStmt) {
	c.current, c.loops, c.depth = f, 0, 0
	c.slots = make(map[string]int)
	for i, name := range f.variables {
		c.slots[name] = i
	}
	c.assigned(d.Body)
	f.body = c.block(d.Body)
	c.current = nil
}

// assigned gives a slot to each name that statements assign to.
func (c *checker) assigned(statements []syntax.Stmt) {
	for _, s := range statements {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			c.slot(s.LHS)
		case *syntax.ForStmt:
			c.slot(s.Vars)
			c.assigned(s.Body)
		case *syntax.IfStmt:
			for s != nil {
				c.assigned(s.True)
				next := elif(s)
				if next == nil {
					c.assigned(s.False)
				}
				s = next
			}
		}
	}
}

func (c *checker) slot(target syntax.Expr) {
	name, ok := target.(*syntax.Ident)
	if !ok {
		c.fail(start(target), "only a plain name can be assigned to", "只能给普通的名字赋值")
	}
	if _, ok := c.slots[name.Name]; ok {
		return
	}
	if slices.Contains(builtins, name.Name) {
		c.fail(at(name.NamePos), "%s is a function of the language", "%s 是语言自带的函数", name.Name)
	}
	f := c.current
	if len(f.variables) == maxVariables {
		c.fail(at(name.NamePos), "%s has more than %d variables", "%s 的变量超过 %d 个", f.name, maxVariables)
	}
	c.slots[name.Name] = len(f.variables)
	f.variables = append(f.variables, name.Name)
}

// elif gives the next arm of an if, which the parser nests in its else.
func elif(s *syntax.IfStmt) *syntax.IfStmt {
	if len(s.False) != 1 {
		return nil
	}
	next, ok := s.False[0].(*syntax.IfStmt)
	if !ok || next.If != s.ElsePos {
		return nil
	}
	return next
}

func (c *checker) enter(p position) {
	c.depth++
	if c.depth > maxNesting {
		c.fail(p, "this is nested deeper than %d", "嵌套超过 %d 层", maxNesting)
	}
}

func (c *checker) leave() { c.depth-- }

func (c *checker) block(statements []syntax.Stmt) []statement {
	checked := make([]statement, 0, len(statements))
	for _, s := range statements {
		if s := c.statement(s); s != nil {
			checked = append(checked, s)
		}
	}
	return checked
}

// statement returns nil for a string that stands alone: a comment.
func (c *checker) statement(s syntax.Stmt) statement {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return c.assignment(s)
	case *syntax.IfStmt:
		return c.conditional(s)
	case *syntax.ForStmt:
		return c.loop(s)
	case *syntax.ReturnStmt:
		r := &returning{position: at(s.Return)}
		if s.Result != nil {
			r.value = c.expression(s.Result)
		}
		return r
	case *syntax.BranchStmt:
		if s.Token != syntax.PASS && c.loops == 0 {
			c.fail(at(s.TokenPos), "%s stands outside a loop", "%s 不在循环里", s.Token)
		}
		return &branch{at(s.TokenPos), s.Token}
	case *syntax.ExprStmt:
		if literal, ok := s.X.(*syntax.Literal); ok && literal.Token == syntax.STRING {
			return nil
		}
		return &evaluation{start(s), c.expression(s.X)}
	case *syntax.WhileStmt:
		c.fail(at(s.While), "while is not allowed: the driver calls acquire again until it returns a lease; "+
			"inside one attempt use for … in range(n)",
			"不允许 while：在 acquire 返回租约之前，驱动程序会反复调用它；一次尝试之内请用 for … in range(n)")
	case *syntax.DefStmt:
		c.fail(at(s.Def), "a function inside a function is not allowed", "不允许在函数里定义函数")
	case *syntax.LoadStmt:
		c.fail(at(s.Load), "load is not allowed: a program is one file", "不允许 load：一个程序就是一个文件")
	}
	c.fail(start(s), "this statement is not allowed", "不允许这种语句")
	return nil
}

func (c *checker) assignment(s *syntax.AssignStmt) statement {
	name := s.LHS.(*syntax.Ident) // slot makes sure
	a := &assignment{position: start(s), slot: c.slots[name.Name]}
	if s.Op != syntax.EQ {
		a.op = s.Op - syntax.PLUS_EQ + syntax.PLUS
		c.operator(at(s.OpPos), a.op)
	}
	a.value = c.expression(s.RHS)
	return a
}

func (c *checker) conditional(s *syntax.IfStmt) statement {
	c.enter(at(s.If))
	defer c.leave()
	checked := new(conditional)
	for {
		checked.arms = append(checked.arms, arm{at(s.If), c.expression(s.Cond), c.block(s.True)})
		next := elif(s)
		if next == nil {
			checked.otherwise = c.block(s.False)
			return checked
		}
		s = next
	}
}

func (c *checker) loop(s *syntax.ForStmt) statement {
	p := at(s.For)
	c.enter(p)
	defer c.leave()
	checked := &loop{position: p, slot: c.slots[s.Vars.(*syntax.Ident).Name]}
	if call, ok := s.X.(*syntax.CallExpr); ok && c.isRange(call.Fn) {
		if len(call.Args) < 1 || len(call.Args) > 3 {
			c.fail(at(call.Lparen), "range takes one to three numbers", "range 接受一到三个数")
		}
		checked.count = c.positional(call.Args, "range")
	} else {
		checked.over = c.expression(s.X)
	}
	c.loops++
	checked.body = c.block(s.Body)
	c.loops--
	return checked
}

func (c *checker) isRange(fn syntax.Expr) bool {
	name, ok := fn.(*syntax.Ident)
	return ok && name.Name == "range"
}

func start(n syntax.Node) position { return at(syntax.Start(n)) }
