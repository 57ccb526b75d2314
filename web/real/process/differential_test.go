package process

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/redis"
	"lockstep/engine/testtools"
)

// The rule: a reply is Redis' own, or there is no verdict. The list of commands is the one that a real server gives, its
// subcommands included, and so are the forms of their arguments. Each goes three ways: direct, in a transaction, and in a
// script. Lockstep replies what redis-server replies and leaves in the keys what redis-server leaves, or the test ends.
func TestEveryCommandIsExecutedAsByRedisOrNotAtAll(t *testing.T) {
	s := served(t)
	all := commandsOf(t, s)
	if len(all) < 350 {
		t.Fatalf("redis-server names %d commands and subcommands", len(all))
	}
	for _, door := range []string{"Lockstep's own Redis", "redis-server"} {
		t.Run(door, func(t *testing.T) {
			d := &differential{t: t, server: s, wide: door == "redis-server", agree: map[string]int{}, refuse: map[string]int{}}
			for i, c := range all {
				chance := rand.New(rand.NewPCG(7, uint64(i)))
				if c.name == "QUIT" || c.name == "MULTI" { // TestFront has them: what comes after is another conversation
					continue
				}
				for _, words := range c.forms(chance) {
					for _, way := range ways {
						d.compare(c.name, way, words)
					}
				}
			}
			d.end()
			t.Logf("agree: %d direct, %d in MULTI, %d in a script; refused: %d, %d, %d; different: %d",
				d.agree["direct"], d.agree["MULTI"], d.agree["script"], d.refuse["direct"], d.refuse["MULTI"], d.refuse["script"], d.differ)
			for _, way := range ways {
				for _, name := range redis.Commands() {
					if other := slices.Contains([]string{"DELEX", "DELIFEQ", "EVAL", "MULTI"}, name); !other && d.agree[way+" "+name] == 0 {
						t.Errorf("%s never agrees: %s", way, name)
					}
				}
			}
		})
	}
}

var ways = []string{"direct", "MULTI", "script"}

// news are answers of the Redis that the front says it is, and not of the one that is installed here. Those of own are the
// server's identity, and what redis-cli asks of one that a person types to.
var (
	news = []string{"CLIENT SETINFO", "CLIENT NO-TOUCH"}
	own  = []string{"HELLO", "INFO", "CLIENT ID", "AUTH", "COMMAND DOCS"}
)

// A differential sends commands to a front, with what executes them behind it, and to a real server.
type differential struct {
	t      *testing.T
	server *Server
	wide   bool
	front  *Process
	client *peer

	agree, refuse map[string]int // by way, and by way and command
	differ        int
}

const noon = 1_700_000_000_000

// what the keys hold before each command. A Server keeps strings and hashes.
func (d *differential) before() map[string]redis.Content {
	keys := map[string]redis.Content{
		"n": {Value: "10"}, "s": {Value: "a b\xff", Expires: noon + 60_000}, "h": {Value: "f 1 g x", Type: redis.Hash},
	}
	if d.wide {
		keys["l"], keys["e"] = redis.Content{Value: "a b a", Type: redis.List}, redis.Content{Value: "1 2 a", Type: redis.Set}
		keys["z"] = redis.Content{Value: "a 1 b 2.5", Type: redis.ZSet}
	}
	return keys
}

func (d *differential) compare(name, way string, words []string) {
	sent := [][]string{words}
	switch way {
	case "MULTI":
		sent = [][]string{{"MULTI"}, words, {"EXEC"}}
	case "script":
		sent = [][]string{append([]string{"EVAL", "return redis.call(unpack(ARGV))", "0"}, words...)}
	}
	full := strings.ToUpper(strings.Join(words[:min(2, len(words))], " "))
	elsewhere := slices.ContainsFunc(append(news, own...), func(known string) bool { return strings.HasPrefix(full+" ", known+" ") })
	d.same(name, way, sent, elsewhere)
}

// same holds what the front replies, and what its keys hold then, to the real server. elsewhere: the reply is not to be compared.
func (d *differential) same(name, way string, sent [][]string, elsewhere bool) {
	node := redis.Node(redis.New(noon))
	if d.wide {
		node = d.server.New(noon)
	}
	defer node.Close()
	for key, c := range d.before() {
		node.Put(key, c)
	}
	got, why := d.ask(node, sent)
	if why != "" {
		d.refuse[way]++
		return
	}
	if elsewhere {
		return
	}
	want, keys := d.real(sent)
	held := map[string]redis.Content{}
	for key := range keys {
		if c, ok := node.Get(key); ok {
			held[key] = c
		}
	}
	if !slices.Equal(got, want) || !maps.Equal(held, keys) {
		if d.differ++; d.differ <= 40 {
			d.t.Errorf("%s: %q\nreplies %q, redis-server %q\nholds %v, redis-server %v", way, sent, got, want, held, keys)
		}
		return
	}
	d.agree[way]++
	d.agree[way+" "+name]++
}

// ask returns the replies of the front, or why there are none.
func (d *differential) ask(node redis.Node, sent [][]string) (replies []string, why string) {
	if d.front == nil {
		d.front = listening(d.t)
		d.client = dial(d.t, d.front)
	}
	raw := ""
	for _, words := range append(sent, []string{"GET", "the end"}) {
		raw += redis.Encode(words)
	}
	d.client.raw(raw)
	for {
		a := d.front.Next()
		switch {
		case a.Fault != nil:
			d.end()
			return nil, a.Fault.English
		case slices.Equal(a.Command, []string{"GET", "the end"}):
			d.front.Answer("$-1\r\n")
			for range len(sent) + 1 {
				reply, err := readReply(d.client.in)
				if err != nil {
					d.t.Fatal(err)
				}
				replies = append(replies, reply)
			}
			return replies[:len(sent)], ""
		}
		own := redis.Scripts{}
		if d.wide {
			own = own.OnServer()
		}
		for _, part := range redis.Parts(a.Command) {
			if strings.EqualFold(part[0], "EVAL") && len(part) > 1 {
				own = own.With(part[1])
			}
		}
		command, refusal := redis.CheckOwn(a.Command, own)
		if refusal == nil {
			reply := node.Do(command...)
			if refusal = node.Unable(); refusal == nil {
				d.front.Answer(reply)
				continue
			}
		}
		d.end()
		return nil, refusal.English
	}
}

func (d *differential) end() {
	if d.front != nil {
		d.client.Close()
		d.front.Kill()
	}
	d.front = nil
}

// real returns the replies of the real server, and what its keys hold then.
func (d *differential) real(sent [][]string) (replies []string, keys map[string]redis.Content) {
	all := [][]string{{"AUTH", "default", "any"}, {"FLUSHALL"}}
	before := d.before()
	for _, key := range slices.Sorted(maps.Keys(before)) {
		all = append(all, stores(key, before[key])...)
	}
	first := len(all)
	all = append(append(all, sent...), []string{"AUTH", "program", "any"}, []string{"EVAL", lookScript, "0"})
	replies, err := d.server.ask(noon, all...)
	if err != nil {
		d.t.Fatalf("%q: %v", sent, err)
	}
	n := &node{server: d.server, now: noon}
	n.look(redis.Reply(replies[len(replies)-1]))
	return replies[first : first+len(sent)], n.keys
}

// A documented is a command as COMMAND DOCS documents it.
type documented struct {
	name      string // with that of its subcommand
	arguments []argument
}

type argument struct {
	name, kind, token           string
	optional, multiple, tokened bool
	parts                       []argument
}

// commandsOf returns the commands and subcommands that a server documents.
func commandsOf(t *testing.T, s *Server) []documented {
	t.Helper()
	replies, err := s.ask(noon, []string{"AUTH", "default", "any"}, []string{"COMMAND", "DOCS"}, []string{"AUTH", "program", "any"})
	if err != nil {
		t.Fatal(err)
	}
	var all []documented
	var add func(name string, doc map[string]redis.Reply)
	add = func(name string, doc map[string]redis.Reply) {
		all = append(all, documented{name, argumentsOf(doc["arguments"])})
		for sub, of := range fields(doc["subcommands"]) {
			add(strings.ReplaceAll(sub, "|", " "), fields(of))
		}
	}
	for name, doc := range fields(redis.Reply(replies[1])) {
		add(name, fields(doc))
	}
	for i := range all {
		all[i].name = strings.ToUpper(all[i].name)
	}
	slices.SortFunc(all, func(a, b documented) int { return strings.Compare(a.name, b.name) })
	return all
}

func fields(r redis.Reply) map[string]redis.Reply {
	all := map[string]redis.Reply{}
	items := r.Items()
	for i := 0; i+1 < len(items); i += 2 {
		name, _ := items[i].Text()
		all[name] = items[i+1]
	}
	return all
}

func argumentsOf(r redis.Reply) []argument {
	var all []argument
	for _, item := range r.Items() {
		f := fields(item)
		text := func(name string) string { text, _ := f[name].Text(); return text }
		a := argument{name: text("name"), kind: text("type"), token: text("token"), parts: argumentsOf(f["arguments"])}
		for _, flag := range f["flags"].Items() {
			word, _ := flag.Text()
			a.optional = a.optional || word == "optional"
			a.multiple = a.multiple || word == "multiple"
			a.tokened = a.tokened || word == "multiple_token"
		}
		all = append(all, a)
	}
	return all
}

// forms returns some ways to write a command: most as it is documented, each of these without its last word, one without its arguments, and one with too many. In the
// third circle there are 25 documented ones.
func (c *documented) forms(chance *rand.Rand) [][]string {
	name := strings.Fields(c.name)
	all := [][]string{name}
	for range testtools.InCircle(2, 5, 25) {
		g := &writer{chance: chance, words: slices.Clone(name)}
		g.write(c.arguments)
		all = append(all, g.words)
	}
	for _, whole := range all[1:] {
		all = append(all, whole[:max(len(name), len(whole)-1)])
	}
	return append(all, append(slices.Clone(all[1]), "extra"))
}

// A writer writes arguments by chance.
type writer struct {
	chance *rand.Rand
	words  []string
	keys   int // that the latest numkeys has announced
}

func (g *writer) one(words ...string) string { return words[g.chance.IntN(len(words))] }

func (g *writer) write(arguments []argument) {
	for _, a := range arguments {
		if a.optional && g.chance.IntN(3) > 0 {
			continue
		}
		times := 1
		if a.multiple {
			times = 1 + g.chance.IntN(2)
		}
		if a.kind == "key" && g.keys > 0 {
			times, g.keys = g.keys, 0
		}
		for i := range times {
			if a.token != "" && (i == 0 || a.tokened) {
				g.words = append(g.words, a.token)
			}
			g.value(a)
		}
	}
}

func (g *writer) value(a argument) {
	switch a.kind {
	case "key":
		g.words = append(g.words, g.one("n", "s", "h", "none", "l", "e", "z"))
	case "integer":
		if a.name == "numkeys" {
			g.keys = 1 + g.chance.IntN(2)
			g.words = append(g.words, strconv.Itoa(g.keys))
			return
		}
		g.words = append(g.words, g.one("0", "1", "2", "-1", "100", "5000", "9223372036854775807", "x"))
	case "double":
		g.words = append(g.words, g.one("1", "2.5", "-1", "0.1", "x"))
	case "unix-time":
		g.words = append(g.words, g.one("1700000100", "1700000100000", "1", "0", "-5", "x"))
	case "pattern":
		g.words = append(g.words, g.one("*", "n*", "[a-z]"))
	case "pure-token":
		if a.token == "" {
			g.words = append(g.words, a.name)
		}
	case "oneof":
		if len(a.parts) > 0 {
			g.write([]argument{required(a.parts[g.chance.IntN(len(a.parts))])})
		}
	case "block":
		g.write(a.parts)
	default:
		g.words = append(g.words, g.one("v", "f", "a", "10", "-3", "", "a b", "\xff", fmt.Sprint(g.chance.IntN(100))))
	}
}

func required(a argument) argument {
	a.optional = false
	return a
}
