package program

import (
	"sync"

	"go.starlark.net/syntax"

	"lockstep/engine/lang"
)

// machine is one evaluation: a tree walk that stops at the first operation
// with no recorded observation. It allocates nothing that outlives it but the
// words of that operation.
type machine struct {
	program string
	env     Env
	seen    []Value
	next    int // the first unused observation

	frozen bool  // in holds: the clock reads nowMs, and reading it is no operation
	nowMs  int64 // ms

	steps  int
	made   int   // bytes of the strings that it made, about
	calls  int   // open calls
	base   int   // where the running function's variables begin in the stack
	top    int   // where the stack is free
	line   int32 // of the statement that is running
	result Value // of the function that returned last

	op  Op // the operation that stopped the evaluation
	err *Error

	stack *stack // variables of the open calls
}

type stack [maxOpen]Value

// stacks are reused and not cleared: a call writes its variables before it reads them.
var stacks = sync.Pool{New: func() any { return new(stack) }}

// The cost of an evaluation beside its steps.
const (
	callWork = 4  // to begin
	unitMade = 16 // bytes made in the time of a step
	piece    = 32 // bytes made in the time of an allocation
)

// cost returns the cost of the evaluation, in steps.
func (m *machine) cost() int { return callWork + m.steps + m.made/unitMade }

// control tells how a statement ended.
type control uint8

const (
	goOn control = iota
	breakLoop
	continueLoop
	returned
	stopped // by an operation or an error: unwind
)

// run evaluates a phase from its top.
func (m *machine) run(f *function) Outcome {
	m.stack = stacks.Get().(*stack)
	m.stack[0] = Value{kind: kindClient}
	m.stack[1] = m.env.Lease
	m.top = f.params
	m.open(f)
	ended := m.block(f.body)
	stacks.Put(m.stack)
	if ended != stopped && m.result.kind > KindLease {
		m.fail(position{m.line, 1}, "%s returned %s: return a lease, a value or None",
			"%s 返回了%s：应返回租约、一个值或 None", f.name, m.result.noun())
		ended = stopped
	}
	outcome := Outcome{Line: int(m.line), Work: m.cost()}
	switch {
	case m.err != nil:
		outcome.Err = m.err
	case ended == stopped:
		outcome.Op = m.op
	default:
		outcome.Result, outcome.Returned = m.result, true
	}
	return outcome
}

// evaluateConstant computes a constant at the top of a file.
func evaluateConstant(program string, p position, e expression) (Value, *Error) {
	m := machine{program: program, line: p.line}
	v, _ := m.evaluate(e)
	return v, m.err
}

func (m *machine) fail(p position, english, chinese string, arguments ...any) {
	m.line = p.line
	m.err = errorAt(m.program, p, lang.Format(english, chinese, arguments...))
}

// step counts what is evaluated, so that every evaluation ends.
func (m *machine) step() bool {
	m.steps++
	if m.steps > maxSteps {
		m.fail(position{m.line, 1}, "more than %d steps in one go: does a loop run inside a loop?",
			"一口气执行超过 %d 步：是不是循环里又套了循环？", maxSteps)
		return false
	}
	return true
}

// observe returns the next recorded observation; without one, the program stops at
// p and waits for it.
func (m *machine) observe(p position) (Value, bool) {
	m.line = p.line
	switch {
	case m.next == maxObservations:
		m.fail(p, "more than %d operations in one phase", "一个阶段里的操作超过 %d 个", maxObservations)
	case m.next < len(m.seen):
		v := m.seen[m.next]
		m.next++
		return v, true
	}
	return None, false
}

// open makes room for the variables of f that follow its parameters.
func (m *machine) open(f *function) bool {
	for range len(f.variables) - f.params {
		if !m.push(f.defined, Value{kind: kindUnset}) {
			return false
		}
	}
	return true
}

func (m *machine) push(p position, v Value) bool {
	if m.top == len(m.stack) {
		m.fail(p, "more than %d variables in the functions that are running", "正在运行的函数里变量超过 %d 个", maxOpen)
		return false
	}
	m.stack[m.top] = v
	m.top++
	return true
}

func (m *machine) block(statements []statement) control {
	for _, s := range statements {
		if ended := m.execute(s); ended != goOn {
			return ended
		}
	}
	return goOn
}

func (m *machine) execute(s statement) control {
	switch s := s.(type) {
	case *assignment:
		return m.assign(s)
	case *conditional:
		return m.decide(s)
	case *evaluation:
		if !m.stand(s.position) {
			return stopped
		}
		if _, ok := m.evaluate(s.value); !ok {
			return stopped
		}
	case *returning:
		if !m.stand(s.position) {
			return stopped
		}
		m.result = None
		if s.value != nil {
			v, ok := m.evaluate(s.value)
			if !ok {
				return stopped
			}
			m.result = v
		}
		return returned
	case *loop:
		return m.repeat(s)
	case *branch:
		if !m.stand(s.position) {
			return stopped
		}
		switch s.token {
		case syntax.BREAK:
			return breakLoop
		case syntax.CONTINUE:
			return continueLoop
		}
	}
	return goOn
}

// stand moves to the statement at p.
func (m *machine) stand(p position) bool {
	m.line = p.line
	return m.step()
}

func (m *machine) assign(s *assignment) control {
	if !m.stand(s.position) {
		return stopped
	}
	v, ok := m.evaluate(s.value)
	if !ok {
		return stopped
	}
	if s.op != 0 {
		old := m.stack[m.base+s.slot]
		if old.kind == kindUnset {
			m.fail(s.position, "this variable has no value yet", "这个变量还没有值")
			return stopped
		}
		if v, ok = m.operate(s.position, s.op, old, v); !ok {
			return stopped
		}
	}
	m.stack[m.base+s.slot] = v
	return goOn
}

func (m *machine) decide(s *conditional) control {
	for i := range s.arms {
		arm := &s.arms[i]
		if !m.stand(arm.position) {
			return stopped
		}
		v, ok := m.evaluate(arm.condition)
		if !ok {
			return stopped
		}
		if v.truth() {
			return m.block(arm.body)
		}
	}
	return m.block(s.otherwise)
}

func (m *machine) repeat(s *loop) control {
	if !m.stand(s.position) {
		return stopped
	}
	first, stride, rounds, kind, ok := m.rounds(s)
	if !ok {
		return stopped
	}
	for i := range rounds {
		if !m.stand(s.position) {
			return stopped
		}
		m.stack[m.base+s.slot] = Value{kind: kind, n: first + i*stride}
		switch ended := m.block(s.body); ended {
		case breakLoop:
			return goOn
		case returned, stopped:
			return ended
		}
	}
	return goOn
}

// rounds returns the numbers of a loop: from first, by stride, count times.
func (m *machine) rounds(s *loop) (first, stride, rounds int64, kind Kind, ok bool) {
	if s.over != nil {
		v, ok := m.evaluate(s.over)
		if !ok {
			return 0, 0, 0, 0, false
		}
		if v.kind != kindNodes {
			m.fail(s.position, "a loop goes over c.nodes or range(n), not over %s", "循环只能用于 c.nodes 或 range(n)，不能用于%s", v.noun())
			return 0, 0, 0, 0, false
		}
		first, stride, rounds, kind = 0, 1, v.n, kindNode
	} else {
		var bounds [3]int64
		for i, e := range s.count {
			v, ok := m.evaluate(e)
			if !ok {
				return 0, 0, 0, 0, false
			}
			if v.kind != KindInt {
				m.fail(s.position, "range takes numbers, not %s", "range 需要数，不能是%s", v.noun())
				return 0, 0, 0, 0, false
			}
			bounds[i] = v.n
		}
		kind, stride = KindInt, 1
		last := bounds[0]
		if len(s.count) > 1 {
			first, last = bounds[0], bounds[1]
		}
		if len(s.count) > 2 {
			stride = bounds[2]
		}
		if stride == 0 {
			m.fail(s.position, "the third number of a range must not be 0", "range 的第三个数不能是 0")
			return 0, 0, 0, 0, false
		}
		rounds = countRange(first, last, stride)
	}
	if rounds > maxRounds {
		m.fail(s.position, "a loop has at most %d rounds", "循环最多 %d 轮", maxRounds)
		return 0, 0, 0, 0, false
	}
	return first, stride, rounds, kind, true
}

// countRange counts the numbers of a range, up to one more than a loop may
// have. It counts rather than divides: the ends may be 64 bits apart.
func countRange(first, last, stride int64) int64 {
	n := int64(0)
	for i := first; n <= maxRounds; n++ {
		if stride > 0 && i >= last || stride < 0 && i <= last {
			break
		}
		next := i + stride
		if (next > i) != (stride > 0) { // past the last int64
			return n + 1
		}
		i = next
	}
	return n
}
