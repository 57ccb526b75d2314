package monitor

import (
	"crypto/sha256"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/engine/monitor/detect"
	"lockstep/engine/redis"
)

// A Redactor replaces keys and values by short names: key1, key2 …, value1, value2 …. The same text has the same name
// wherever it stands, so that a redacted log behaves as the log does. Some texts stay: the names of commands and their
// options; a TTL; a number that is the time of the command, give or take a day; and a number below 1000, which a
// counter or a flag may be.
type Redactor struct {
	names  map[[16]byte]string // by a hash of the text
	counts map[string]int      // by kind
}

// MostNames is how many names a Redactor gives. It calls further texts "more".
const MostNames = 1 << 18

// NewRedactor returns a redactor that has given no name yet.
func NewRedactor() *Redactor {
	return &Redactor{names: map[[16]byte]string{}, counts: map[string]int{}}
}

// name returns the name of a text. The kind of its first occurrence decides how it is called.
func (r *Redactor) name(kind, text string) string {
	if name, known := r.known(text); known {
		return name
	}
	if len(r.names) >= MostNames {
		return "more"
	}
	r.counts[kind]++
	name := kind + strconv.Itoa(r.counts[kind])
	r.names[hash(text)] = name
	return name
}

func (r *Redactor) known(text string) (name string, ok bool) {
	name, ok = r.names[hash(text)]
	return name, ok
}

func hash(text string) [16]byte {
	sum := sha256.Sum256([]byte(text))
	return [16]byte(sum[:16])
}

// containers lists the commands whose first argument says what they do, or in which protocol.
var containers = []string{"HELLO", "CLIENT", "CONFIG", "SCRIPT", "ACL", "CLUSTER", "COMMAND", "OBJECT", "MEMORY", "PUBSUB", "FUNCTION", "LATENCY", "MODULE", "SLOWLOG", "XGROUP", "XINFO"}

// options lists the words that are options of a command, and whether a TTL or a value follows each.
var options = map[string]map[string]follower{
	"SET":       {"NX": nothing, "XX": nothing, "GET": nothing, "KEEPTTL": nothing, "EX": ttl, "PX": ttl, "EXAT": ttl, "PXAT": ttl, "IFEQ": value, "IFNE": value, "IFDEQ": value, "IFDNE": value},
	"GETEX":     {"EX": ttl, "PX": ttl, "EXAT": ttl, "PXAT": ttl, "PERSIST": nothing},
	"DELEX":     {"IFEQ": value, "IFNE": value, "IFDEQ": value, "IFDNE": value},
	"EXPIRE":    expiryOptions,
	"PEXPIRE":   expiryOptions,
	"EXPIREAT":  expiryOptions,
	"PEXPIREAT": expiryOptions,
}

var expiryOptions = map[string]follower{"NX": nothing, "XX": nothing, "GT": nothing, "LT": nothing}

type follower uint8

const (
	nothing follower = iota
	ttl
	value
)

// Command returns a command in which keys and values have names. The command ran at a Unix time, ns.
func (r *Redactor) Command(command []string, now int64) []string {
	if len(command) == 0 {
		return nil
	}
	redacted := slices.Clone(command)
	name := strings.ToUpper(command[0])
	switch {
	case len(command) == 1 || markOf(command) != "" || name == "SELECT":
	case slices.Contains(containers, name):
		for i := 2; i < len(command); i++ {
			redacted[i] = "(redacted)" // it is about the connection or the server, and needs no name
		}
	case isScript(name):
		r.script(redacted, command, now)
	default:
		stays := staying(command, name)
		for i := 1; i < len(command); i++ {
			switch {
			case stays[i]:
			case isKey(name, i):
				redacted[i] = r.name("key", command[i])
			default:
				redacted[i] = r.argument("value", command[i], now)
			}
		}
	}
	return redacted
}

// isKey reports whether an argument of a command is a key or, of publish and subscribe, a channel. Of a command that it
// does not know, the first argument may be one.
func isKey(name string, i int) bool {
	switch name {
	case "DEL", "UNLINK", "EXISTS", "MGET", "WATCH", "TOUCH":
		return true
	case "MSET", "MSETNX":
		return i%2 == 1
	}
	return i == 1 || strings.HasSuffix(name, "SUBSCRIBE")
}

// staying returns the arguments of a command that stay: options and TTLs.
func staying(command []string, name string) map[int]bool {
	stays := map[int]bool{}
	first := 2 // argument that may be an option
	switch name {
	case "SET":
		first = 3
	case "SETEX", "PSETEX", "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT", "INCRBY", "DECRBY":
		stays[2] = len(command) > 2 && isNumber(command[2])
		first = 3
	}
	for i := first; i < len(command); i++ {
		next, isOption := options[name][strings.ToUpper(command[i])]
		if !isOption {
			continue
		}
		stays[i] = true
		if next == nothing {
			continue
		}
		if i++; i < len(command) && next == ttl {
			stays[i] = isNumber(command[i])
		}
	}
	return stays
}

// script redacts EVAL and its like. The text of a script that a scenario may run stays. So does a SHA-1.
func (r *Redactor) script(redacted, command []string, now int64) {
	name := strings.ToUpper(command[0])
	_, refused := redis.Check(command)
	if refused != nil && !strings.HasPrefix(name, "EVALSHA") {
		redacted[1] = r.name("script", command[1])
	}
	if len(command) < 3 {
		return
	}
	keys, _ := strconv.Atoi(command[2])
	for i := 3; i < len(command); i++ {
		switch {
		case i < 3+keys:
			redacted[i] = r.name("key", command[i])
		case i == len(command)-1 && i > 3+keys && isTTL(command[i]): // scripts take the TTL last
		default:
			redacted[i] = r.argument("value", command[i], now)
		}
	}
}

// argument returns the name of a key or a value, or the text itself where it may stay.
func (r *Redactor) argument(kind, text string, now int64) string {
	switch _, known := r.known(text); {
	case known:
	case isSmall(text):
		return text
	case isTime(text, now):
		if len(r.names) < MostNames {
			r.names[hash(text)] = text // in a reply, too
		}
		return text
	}
	return r.name(kind, text)
}

// Reply returns a reply in which values have names. Of an error, only its code stays.
func (r *Redactor) Reply(reply redis.Reply) redis.Reply {
	var b strings.Builder
	r.reply(&b, string(reply), 0)
	return redis.Reply(b.String())
}

// reply redacts the first value of some RESP, and returns the rest.
func (r *Redactor) reply(b *strings.Builder, text string, depth int) (rest string) {
	head, rest, found := strings.Cut(text, "\r\n")
	if !found || head == "" || depth > maxDepth {
		return ""
	}
	switch head[0] {
	case '-':
		code, _, _ := strings.Cut(head, " ")
		b.WriteString(code + "\r\n")
	case '$', '=', '!':
		n, err := strconv.Atoi(head[1:])
		if err != nil || n < 0 || n > len(rest)-2 {
			b.WriteString(head[:1] + "-1\r\n")
			return ""
		}
		value := rest[:n]
		if _, known := r.known(value); known || !isSmall(value) {
			value = r.name("value", value)
		}
		b.WriteString(head[:1] + strconv.Itoa(len(value)) + "\r\n" + value + "\r\n")
		return rest[n+2:]
	case '*', '~', '>', '%', '|':
		b.WriteString(head + "\r\n")
		n, err := strconv.Atoi(head[1:])
		if err != nil {
			return ""
		}
		if head[0] == '%' || head[0] == '|' {
			n *= 2
		}
		if head[0] == '|' {
			n++
		}
		for ; n > 0 && rest != ""; n-- {
			rest = r.reply(b, rest, depth+1)
		}
	default:
		b.WriteString(head + "\r\n")
	}
	return rest
}

// isNumber reports whether a text is a whole number.
func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// isSmall reports whether a text is a whole number from -999 to 999.
func isSmall(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > -1000 && n < 1000
}

// isTTL reports whether a text is a number of milliseconds up to a day.
func isTTL(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > 0 && n <= dayMilliseconds
}

const dayMilliseconds = 86_400_000

// isTime reports whether a text is a Unix time within a day of now, in seconds with or without a fraction, or in milliseconds.
func isTime(text string, now int64) bool {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.") != "" {
		return false
	}
	seconds := float64(now) / 1e9
	return math.Abs(n-seconds) <= dayMilliseconds/1e3 || math.Abs(n/1e3-seconds) <= dayMilliseconds/1e3
}

// names are what an account calls the kinds of findings.
var names = map[detect.Kind]lang.Text{
	detect.Overlap:       lang.Both("overlap", "重叠"),
	detect.ForeignDelete: lang.Both("foreign delete", "误删"),
	detect.LateRelease:   lang.Both("late release", "释放过晚"),
}

// names returns what gives the names in an account, and in a scenario of the same log: to keys, tokens and values, and to
// addresses and to the names of clients. What was found has the first names.
func (a *Account) names() (values, hosts *Redactor) {
	values, hosts = NewRedactor(), NewRedactor()
	holder := func(h *detect.Holder) {
		values.argument("value", h.Token, h.Time)
		hosts.person(h.Address, h.Name)
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		values.name("key", f.Key)
		holder(&f.First)
		if f.Second.ID > 0 {
			holder(&f.Second)
		}
	}
	for i := range a.Locks {
		values.name("key", a.Locks[i].Key)
		for j := range a.Locks[i].Stays {
			s := &a.Locks[i].Stays[j]
			hosts.person(s.Address, s.Name)
		}
	}
	return values, hosts
}

// person returns the names of an address and of what a client calls itself.
func (r *Redactor) person(address, name string) (string, string) {
	if address != "" {
		address = r.name("connection", address)
	}
	if name != "" {
		name = r.name("name", name)
	}
	return address, name
}

// hide gives the token, the address and the name of a holder short names.
func hide(h *detect.Holder, values, hosts *Redactor) {
	if token, known := values.known(h.Token); known {
		h.Token = token
	} else if h.Token != "" && !isSmall(h.Token) && !isTime(h.Token, h.Time) {
		h.Token = ""
	}
	h.Address, h.Name = hosts.person(h.Address, h.Name)
}

// Redact gives keys, tokens, addresses and names short names.
func (a *Account) Redact() {
	a.hidden = true
	values, hosts := a.names()
	holder := func(h *detect.Holder) { hide(h, values, hosts) }
	for i := range a.Findings {
		f := &a.Findings[i]
		f.Key, f.Said = values.name("key", f.Key), nil
		holder(&f.First)
		if f.Second.ID > 0 {
			holder(&f.Second)
		}
	}
	for i := range a.Locks {
		l := &a.Locks[i]
		l.Key = values.name("key", l.Key)
		for j := range l.Stays {
			holder(&l.Stays[j].Holder)
		}
	}
}
