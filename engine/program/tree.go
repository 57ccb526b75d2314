package program

import "go.starlark.net/syntax"

// The checked tree is the syntax with every name resolved to a slot, a function or
// a builtin. The evaluator sees nothing else.

// position is a place in the text; both count from 1.
type position struct{ line, column int32 }

func at(p syntax.Position) position { return position{p.Line, p.Col} }

type function struct {
	name      string
	defined   position
	params    int      // the first variables
	variables []string // a slot each
	body      []statement

	// The function's direct actions, for the checks over the call graph.
	calls    []callSite
	commands []position // Redis commands and requests to the storage
	works    []position // c.work()
	renewals []position // c.renew()
}

type callSite struct {
	callee *function
	position
}

type statement any

type (
	assignment struct {
		position
		slot  int
		op    syntax.Token // 0: plain
		value expression
	}
	conditional struct { // if, elif …, else
		arms      []arm
		otherwise []statement
	}
	arm struct {
		position
		condition expression
		body      []statement
	}
	loop struct {
		position
		slot  int
		over  expression   // c.nodes, or
		count []expression // the one to three numbers of a range
		body  []statement
	}
	returning struct {
		position
		value expression // nil: None
	}
	branch struct {
		position
		token syntax.Token // BREAK, CONTINUE, PASS
	}
	evaluation struct {
		position
		value expression
	}
)

type expression any

type (
	constant struct{ value Value }
	variable struct {
		position
		slot int
		name string
	}
	negation struct{ value expression } // not x
	minus    struct {
		position
		value expression
	}
	logic struct { // and, or
		and  bool
		x, y expression
	}
	binary struct {
		position
		op   syntax.Token
		x, y expression
	}
	choice struct{ condition, then, otherwise expression }

	attribute struct {
		position
		of   expression
		name string
	}
	helperCall struct {
		position
		callee    *function
		arguments []expression
	}
	builtinCall struct {
		position
		name      string
		arguments []expression
	}
	clockCall struct {
		position
		of expression
		ms bool
	}
	workCall struct {
		position
		of expression
	}
	tokenCall struct {
		position
		of expression
	}
	leaseCall struct {
		position
		of                    expression
		token, until, untilMs expression // nil: not given
	}
	renewCall struct {
		position
		of    expression
		until expression
		scale int64 // ms in a unit of until
	}
	storageCall struct {
		position
		of           expression
		name         string
		verb         string // on the way to the storage
		try          bool
		uncommitted  bool       // its value waits for a commit
		value, fence expression // nil: not given
	}
	commandCall struct {
		position
		of        expression
		name      string
		try       bool
		words     []string   // the first words of the command
		arguments []argument // in the order of the text
	}
	argument struct {
		word  string // sent before the value, or instead of it
		flag  bool   // a word that is sent if the value is true
		value expression
	}
)
