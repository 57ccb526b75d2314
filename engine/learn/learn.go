package learn

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// A Learner runs a real program, once for each history of observations, and records what it does next.
type Learner struct {
	launch Launcher

	// Literal: there is but one process, and nobody to compare it with. Its words are taken as they are.
	Literal bool

	// Stopped reports whether nobody waits for what is learned any more; nil: somebody always does.
	Stopped func() bool

	mu        sync.Mutex
	recording *program.Recording
	scripts   struct {
		sync.Mutex
		own redis.Scripts
	}
	parked  []*session       // live processes that wait at the door
	known   map[string]bool  // words that do not change from one process to the next
	samples map[int][]string // values that processes have made, by the number of their symbol
	locks   []string         // keys by which clients enter, as it is guessed
	polls   bool             // a client sends again what came to nothing
	starts  int
	most    int // starts
}

// Bounds on what a Learner does. A caller may lower that of starts.
const (
	MaxStarts = 20_000
	maxParked = 8 // live processes
)

// NewLearner returns a Learner that knows nothing. title says what the launcher starts.
func NewLearner(title string, launch Launcher) *Learner {
	return &Learner{
		launch: launch, recording: &program.Recording{Title: title}, most: MaxStarts,
		known: map[string]bool{}, samples: map[int][]string{},
	}
}

// Program returns what is known of the program by now. Its text may be longer than a scenario's programs may be: see
// program.Recording.
func (l *Learner) Program(name string) *program.Program {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, _ := l.recording.Program(name)
	return p
}

// Recording returns what is known. Callers do not use it while the Learner learns.
func (l *Learner) Recording() *program.Recording { return l.recording }

// Scripts returns the scripts that the program has sent and that are nobody else's.
func (l *Learner) Scripts() redis.Scripts {
	l.scripts.Lock()
	defer l.scripts.Unlock()
	return l.scripts.own
}

// Starts returns how many processes have been started.
func (l *Learner) Starts() int { return l.starts }

// Close ends every process.
func (l *Learner) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.parked {
		s.process.Kill()
	}
	l.parked = nil
}

// errAnew says that what is known was learned under a wrong assumption, and is forgotten.
var errAnew = errors.New("learn: the program has markers, and begins anew")

// errStopped says that nobody waits for what is learned any more.
var errStopped = errors.New("learn: nobody waits any more")

// ErrSpent says that the program has been started as often as it may be.
var ErrSpent = errors.New("learn: no more starts")

// A Fault is a program that cannot be learned: it does not behave like one client of a lock.
type Fault struct {
	lang.Text
	History []string // before it
}

func (f *Fault) Error() string { return f.Sentence(lang.English) }

// Sentence tells the fault in one language, without its full stop.
func (f *Fault) Sentence(in lang.Language) string {
	if len(f.History) == 0 {
		return f.In(in)
	}
	return lang.Format("%s, %s", "%s，%s", after(f.History), f.Text).In(in)
}

// after says where a history leads: its last reply, or that there was none.
func after(history []string) lang.Text {
	for _, seen := range slices.Backward(history) {
		switch seen {
		case program.Done:
		case program.Lost:
			return lang.Both("after its connection was cut", "在连接被切断之后")
		default:
			return lang.Format("after the reply %s", "在收到回复 %s 之后", seen)
		}
	}
	return lang.Both("at its start", "在一开始")
}

// A Deviation is a program that is no function of its replies: after the same ones it did something else.
type Deviation struct {
	History   []string // before it
	Want, Got string   // what it did, and what it did another time: a command as redis-cli takes it, or how it ended
	Clock     bool     // the two differ by a value that looks like a time
}

func (d *Deviation) Error() string { return d.Sentence(lang.English) }

// Sentence tells the deviation in one language.
func (d *Deviation) Sentence(in lang.Language) string {
	after := after(d.History)
	switch {
	case d.Want == d.Got:
		return lang.Format("%[1]s it sends %[2]s, and that contains the time of day: its clock decides what it does, and only its replies are the same in every run", "%[1]s，它发送 %[2]s，其中含有当前时刻：决定它行为的是时钟，而每次运行相同的只有回复", after, d.Want).In(in)
	case d.Clock:
		return lang.Format("%[1]s it sends %[2]s in one run and %[3]s in another: it reads its clock", "%[1]s，它一次发送 %[2]s，另一次发送 %[3]s：它读了自己的时钟", after, d.Want, d.Got).In(in)
	}
	return lang.Format("%[1]s it does this in one run: %[2]s, and that in another: %[3]s", "%[1]s，它一次这样做：%[2]s，另一次却是：%[3]s", after, d.Want, d.Got).In(in)
}

// Learn records what the program does after each history. hands runs the pieces; nil: one after another. A history must
// end where the recording does.
func (l *Learner) Learn(histories [][]string, hands func(n int, work func(i int))) error {
	if hands == nil {
		hands = func(n int, work func(i int)) {
			for i := range n {
				work(i)
			}
		}
	}
	problems := make([]error, len(histories))
	hands(len(histories), func(i int) { problems[i] = l.learn(histories[i]) })
	for _, err := range problems {
		if err != nil && err != errAnew {
			return err
		}
	}
	if slices.Contains(problems, errAnew) {
		l.recording = &program.Recording{Title: l.recording.Title, Markers: true}
	}
	return nil
}

// learn goes on from a history until the program waits for an observation, or has come to its end.
func (l *Learner) learn(history []string) error {
	s, err := l.take(history)
	if err != nil {
		return err
	}
	keep := false
	defer func() { l.put(s, keep) }()
	if err := l.follow(s, history); err != nil {
		return err
	}
	for {
		if len(s.history) >= program.MaxOperations {
			return s.faulty(lang.Format("it does more than %d operations in one life", "它一次运行做了超过 %d 个操作", program.MaxOperations))
		}
		op, err := l.next(s)
		if err != nil {
			return err
		}
		l.mu.Lock()
		known, learned := l.recording.At(s.history)
		if !learned { // otherwise another worker was faster
			l.recording.Add(slices.Clone(s.history), op)
		}
		l.polls = l.polls || op.Kind == program.Again
		l.mu.Unlock()
		if learned && !alikeOps(known, op) {
			return &Deviation{History: slices.Clone(s.history), Want: shown(known), Got: shown(op)}
		}
		switch op.Kind {
		case program.Command:
			keep = !s.spent
			return nil
		case program.Again:
			if l.Literal { // nobody can start it again: it waits where it does again what it did
				s.back(len(s.history) - op.Back)
				keep = true
			}
			return nil
		case program.End:
			return nil
		}
		if err := l.follow(s, append(slices.Clone(s.history), program.Done)); err != nil {
			return err
		}
		if l.Literal && op.Kind == program.Enter { // its next command may take as long as somebody's work
			keep = true
			return nil
		}
	}
}

func alikeOps(a, b program.Op) bool {
	return a.Kind == b.Kind && slices.Equal(a.Command, b.Command) && a.Back == b.Back && a.Code == b.Code
}

// take returns a session whose history is the longest beginning of another one: a process that waits, or a new one.
func (l *Learner) take(history []string) (*session, error) {
	for {
		s := l.nearest(history)
		switch {
		case s == nil:
			return l.start()
		case !s.process.Stale():
			return s, nil
		}
		s.process.Kill()
	}
}

// nearest returns the parked session that has come furthest on the way along a history; nil: none is on it.
func (l *Learner) nearest(history []string) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	best := -1
	for i, s := range l.parked {
		n := len(s.history)
		if n <= len(history) && slices.Equal(s.history, history[:n]) && (best < 0 || n > len(l.parked[best].history)) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	s := l.parked[best]
	l.parked = slices.Delete(l.parked, best, best+1)
	return s
}

// start starts a process.
func (l *Learner) start() (*session, error) {
	if l.Stopped != nil && l.Stopped() {
		return nil, errStopped
	}
	l.mu.Lock()
	if l.starts >= l.most {
		l.mu.Unlock()
		return nil, ErrSpent
	}
	l.starts++
	name := "C" + strconv.Itoa(l.starts) // no two processes have the same: a name may be part of a word
	l.mu.Unlock()
	p, err := l.launch(name)
	if err != nil {
		return nil, unstarted(err)
	}
	s := newSession(p, name, nil)
	s.value = func(symbol string) string { return l.sample(s, symbol) }
	return s, nil
}

// unstarted returns the fault of a program that cannot be started.
func unstarted(err error) error {
	if both := (lang.Speaker)(nil); errors.As(err, &both) {
		return &Fault{Text: lang.Both(both.Sentence(lang.English), both.Sentence(lang.Chinese))}
	}
	return &Fault{Text: lang.Both(err.Error(), err.Error())}
}

// put parks a session, or ends its process.
func (l *Learner) put(s *session, keep bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if keep {
		l.parked = append(l.parked, s)
		if len(l.parked) <= maxParked {
			return
		}
		s = l.parked[0]
		l.parked = l.parked[1:]
	}
	s.process.Kill()
}

// sample returns a value for another client's symbol: one that a process has made.
func (l *Learner) sample(s *session, symbol string) string {
	if symbol[1] >= 'A' && symbol[1] <= 'Z' {
		for i := 1; ; i++ {
			if name := "C" + strconv.Itoa(i); name != s.name && !s.hears(name) {
				return name
			}
		}
	}
	n, _ := strconv.Atoi(symbol[2:])
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, value := range l.samples[n] {
		if !slices.Contains(s.own, value) && !s.hears(value) {
			return value
		}
	}
	// So few processes have run that there is no other value yet: it is made from one.
	value := symbol
	if len(l.samples[n]) > 0 {
		value = l.samples[n][0]
	}
	for slices.Contains(s.own, value) || s.hears(value) {
		value = turned(value)
	}
	return value
}

func (s *session) hears(value string) bool {
	for _, other := range s.others {
		if other == value {
			return true
		}
	}
	return false
}

// turned returns another value of the same shape: each digit is the next one, and each letter. What has neither grows.
func turned(value string) string {
	next := strings.Map(func(r rune) rune {
		for _, from := range []string{"0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
			if i := strings.IndexRune(from, r); i >= 0 {
				return rune(from[(i+1)%len(from)])
			}
		}
		return r
	}, value)
	if next == value {
		return value + "-1"
	}
	return next
}

// follow leads a session along a known history.
func (l *Learner) follow(s *session, history []string) error {
	for len(s.history) < len(history) {
		l.mu.Lock()
		op, _ := l.recording.At(s.history)
		markers := l.recording.Markers
		l.mu.Unlock()
		seen := history[len(s.history)]
		if op.Kind == program.Command {
			if err := s.arrives(op); err != nil {
				return err
			}
			if err := s.answer(seen); err != nil {
				return err
			}
		} else if marker := markerOf(op.Kind); marker != "" && markers {
			if err := s.arrives(program.Op{Kind: program.Command, Command: []string{"PUBLISH", channel, marker}}); err != nil {
				return err
			}
			s.process.Answer(":0\r\n")
		}
		s.observe(seen)
	}
	return nil
}

// The markers: messages that a program publishes when it enters and leaves.
const (
	channel     = "lockstep"
	enterMarker = "enter"
	leaveMarker = "leave"
)

func markerOf(kind program.OpKind) string {
	switch kind {
	case program.Enter:
		return enterMarker
	case program.Leave:
		return leaveMarker
	}
	return ""
}

// arrives waits until the process does what an operation says.
func (s *session) arrives(op program.Op) error {
	a := s.process.Next()
	switch {
	case a.Fault != nil:
		return s.faulty(*a.Fault)
	case op.Kind == program.End && a.Ended && a.Code == op.Code:
		return nil
	case a.Command != nil && s.matches(op, asRecorded(a.Command)):
		return nil
	}
	return s.deviates(op, a)
}

func (s *session) faulty(why lang.Text) error { return &Fault{why, slices.Clone(s.history)} }

// deviates tells the difference between what the process did and what it did another time.
func (s *session) deviates(op program.Op, a Arrival) *Deviation {
	d := &Deviation{History: slices.Clone(s.history), Want: shown(op), Got: shown(program.Op{Kind: program.End, Code: a.Code, Text: lastLine(a.Said)})}
	if a.Command != nil {
		words := asRecorded(a.Command)
		d.Got = redis.Label(words)
		d.Clock = op.Kind == program.Command && slices.ContainsFunc(words, func(word string) bool {
			return isTime(word) && !slices.Contains(op.Command, program.Literal(word))
		})
	}
	return d
}

// shown returns an operation for a reader.
func shown(op program.Op) string {
	if op.Kind == program.Command {
		return redis.Quote(op.Command)
	}
	text := fmt.Sprintf("exit code %d", op.Code)
	if op.Text != "" {
		text += ": " + op.Text
	}
	return text
}

// asRecorded returns a command as a recording has it: a script has its name, or its SHA-1.
func asRecorded(command []string) []string {
	words := slices.Clone(command)
	words[0] = strings.ToUpper(words[0])
	for i, part := range redis.Parts(words)[1:] { // of a transaction
		if i < len(words)-2 {
			words[1+i] = redis.Quote(asRecorded(part))
		}
	}
	if words[0] != "EVAL" || len(words) < 2 {
		return words
	}
	if name := redis.ScriptName(words[1]); name != "" {
		words[1] = name
		return words
	}
	sum := sha1.Sum([]byte(words[1]))
	words[0], words[1] = "EVALSHA", hex.EncodeToString(sum[:])
	return words
}

// next returns what a session does after its history.
func (l *Learner) next(s *session) (program.Op, error) {
	l.mu.Lock()
	at, markers := l.place(s.history), l.recording.Markers
	l.mu.Unlock()
	if key := at.lockKey(l); !markers && !at.inside && key != "" {
		l.mu.Lock()
		if !slices.Contains(l.locks, key) {
			l.locks = append(l.locks, key)
		}
		l.mu.Unlock()
		return program.Op{Kind: program.Enter}, nil
	}
	a := s.process.Next()
	switch {
	case a.Fault != nil:
		return program.Op{}, s.faulty(*a.Fault)
	case a.Ended && at.inside:
		return at.out(), nil
	case a.Ended && len(s.history) == 0:
		return program.Op{}, silent(a)
	case a.Ended:
		return program.Op{Kind: program.End, Code: a.Code, Text: lastLine(a.Said)}, nil
	}
	words := asRecorded(a.Command)
	if words[0] == "PUBLISH" && len(words) == 3 && words[1] == channel {
		if l.Literal && !markers && words[2] == enterMarker && at.inside && len(at.commands) == 0 {
			// Nobody can start it again to learn it anew, and the guess was right.
			l.mu.Lock()
			l.recording.Markers = true
			l.mu.Unlock()
			s.process.Answer(":0\r\n")
			return l.next(s)
		}
		return at.marker(words[2], markers)
	}
	if words[0] == "EVALSHA" {
		l.scripts.Lock()
		l.scripts.own = l.scripts.own.With(a.Command[1])
		l.scripts.Unlock()
	}
	if _, refusal := redis.CheckOwn(words, l.Scripts()); refusal != nil {
		return program.Op{}, s.faulty(lang.Format("it sends a command that Lockstep does not know: %s", "它发送了 Lockstep 不认识的命令：%s", refusal.Text))
	}
	switch {
	case !markers && at.inside && redis.Releases(l.full(words), at.key):
		return at.out(), nil
	case at.left && l.wants(words):
		return program.Op{Kind: program.Want}, nil
	}
	symbols, err := l.symbols(s, words)
	if err != nil {
		return program.Op{}, err
	}
	if back := at.repeats(l, symbols); back > 0 {
		again, err := l.asksOn(s, back)
		if again || err != nil {
			return program.Op{Kind: program.Again, Back: back}, err
		}
	}
	return program.Op{Kind: program.Command, Command: symbols}, nil
}

// Refusals is how often in a row a Learner refuses a client before it believes that the client asks for ever.
const Refusals = 6

// asksOn refuses a client that seems to ask for ever some more times, and reports whether it does the same again each time.
// Its process is of no use afterwards: it has been refused more often than its history says.
func (l *Learner) asksOn(s *session, back int) (bool, error) {
	if l.Literal { // there is no other process
		return true, nil
	}
	s.spent = true
	from := len(s.history) - back
	for range Refusals - 1 {
		for i := from; i < len(s.history); i++ {
			same, err := l.repeatsAt(s, i)
			if !same || err != nil {
				return false, err
			}
			if err := s.answer(s.history[i]); err != nil {
				return false, err
			}
		}
	}
	return l.repeatsAt(s, from)
}

// repeatsAt reports whether a process sends what the recording has at a place in its history. It may have made new values.
func (l *Learner) repeatsAt(s *session, i int) (bool, error) {
	l.mu.Lock()
	op, _ := l.recording.At(s.history[:i])
	l.mu.Unlock()
	a := s.process.Next()
	if a.Fault != nil {
		return false, s.faulty(*a.Fault)
	}
	s.own = s.own[:s.made[i]]
	return a.Command != nil && s.matches(op, asRecorded(a.Command)), nil
}

// silent returns the fault of a program that ends before it has sent a command.
func silent(a Arrival) error {
	if line := strings.TrimSuffix(lastLine(a.Said), "."); line != "" {
		return &Fault{Text: lang.Format("it ends with exit code %d before it has sent a command to the Redis that REDIS_URL names, and says: %s", "它还没有向 REDIS_URL 所指的 Redis 发送命令就结束了（退出码 %d），并输出：%s", a.Code, line)}
	}
	return &Fault{Text: lang.Format("it ends with exit code %d before it has sent a command to the Redis that REDIS_URL names", "它还没有向 REDIS_URL 所指的 Redis 发送命令就结束了（退出码 %d）", a.Code)}
}

// out returns how a client goes that is inside: it stays until somebody lets it go on.
func (p *place) out() program.Op {
	if !p.held {
		return program.Op{Kind: program.Hold}
	}
	return program.Op{Kind: program.Leave}
}

// marker returns the operation of a marker.
func (p *place) marker(word string, markers bool) (program.Op, error) {
	switch {
	case !markers:
		return program.Op{}, errAnew
	case word == enterMarker && !p.inside:
		return program.Op{Kind: program.Enter}, nil
	case word == leaveMarker && p.inside:
		return p.out(), nil
	}
	return program.Op{}, &Fault{Text: lang.Format("it publishes the marker %q where it makes no sense: enter comes before leave, and each once", "它在不合适的地方发布了标记 %q：应先 enter 后 leave，各一次", word)}
}

// symbols returns the words of a command with symbols for the values that clients make. Words that nobody has seen before
// are compared with those of another process that has observed the same.
func (l *Learner) symbols(s *session, command []string) ([]string, error) {
	parts := redis.Parts(command)
	symbols := make([][]string, len(parts))
	fresh := false
	l.mu.Lock()
	for i, part := range parts {
		symbols[i] = slices.Clone(part)
		for j := 1; j < len(part); j++ {
			if symbol, ok := s.symbol(part[j]); ok {
				symbols[i][j] = symbol
				continue
			}
			symbols[i][j] = program.Literal(part[j])
			script := j == 1 && strings.HasPrefix(part[0], "EVAL")
			fresh = fresh || !l.known[part[j]] && !script
		}
	}
	l.mu.Unlock()
	if !fresh || l.Literal {
		return redis.Whole(symbols), nil
	}
	twin, err := l.start()
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() { l.put(twin, keep) }()
	if err := l.follow(twin, s.history); err != nil {
		return nil, err
	}
	a := twin.process.Next()
	if a.Fault != nil {
		return nil, twin.faulty(*a.Fault)
	}
	differs := twin.deviates(program.Op{Kind: program.Command, Command: redis.Whole(symbols)}, a)
	if a.Command == nil {
		return nil, differs
	}
	others := redis.Parts(asRecorded(a.Command))
	if !slices.EqualFunc(parts, others, func(a, b []string) bool { return len(a) == len(b) && a[0] == b[0] }) {
		return nil, differs
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	made := map[string]string{}
	for i, part := range parts {
		for j := 1; j < len(part); j++ {
			mine, other := part[j], others[i][j]
			switch {
			case program.Symbolic(symbols[i][j]):
				if twin.meaning(symbols[i][j]) != other {
					return nil, differs
				}
			case mine != other && isNumber(mine) && counts(part, j), isTime(mine) && !l.known[mine]:
				differs.Want, differs.Clock = redis.Quote(command), isTime(mine)
				if mine == other {
					differs.Got = differs.Want
				}
				return nil, differs
			case mine == other:
				l.known[mine] = true
			case made[mine] != "":
				symbols[i][j] = made[mine]
			default:
				s.own, twin.own = append(s.own, mine), append(twin.own, other)
				n := len(s.own)
				l.samples[n] = append(l.samples[n], mine, other)
				symbols[i][j] = "$" + strconv.Itoa(n)
				made[mine] = symbols[i][j]
			}
		}
	}
	keep = true
	return redis.Whole(symbols), nil
}

// counts reports whether a word of a command is there for Redis to count with: a length of time, an increment. Another number
// in each run is no value of the client's own there. In a script nobody knows, and a short number is no token.
func counts(command []string, i int) bool {
	switch name := command[0]; {
	case strings.HasPrefix(name, "EVAL"):
		return len(command[i]) < shortestToken
	case slices.Contains([]string{"EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT", "SETEX", "PSETEX", "INCRBY", "DECRBY"}, name):
		return i == 2
	case name == "HINCRBY":
		return i == 3
	}
	before := strings.ToUpper(command[i-1])
	return i > 1 && (before == "EX" || before == "PX" || before == "EXAT" || before == "PXAT")
}

// shortestToken is how many digits a number has at least that serves as a token in a script.
const shortestToken = 12

func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// isTime reports whether a word may be a time of these decades: seconds since the epoch, or thousandths, millionths or
// billionths of them.
func isTime(word string) bool {
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return false
	}
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		if n >= 1.6e9*unit && n < 2.3e9*unit {
			return true
		}
	}
	return false
}

// lastLine returns the line that says most of what a program said: the last that names an error, or else the last one.
func lastLine(said string) string {
	lines := strings.Split(strings.TrimRight(said, " \r\n"), "\n")
	for _, line := range slices.Backward(lines) {
		if namesError.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[len(lines)-1])
}

// namesError matches a line such as redis.exceptions.LockError: it is gone, or ReplyError: ERR no.
var namesError = regexp.MustCompile(`^\S*(Error|Exception)\b[^{]*:`)
