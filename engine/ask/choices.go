package ask

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A guess collects the choices for a request in flight: the replies that its
// command can have, and the values that its key has, has had, or may get before
// it arrives. The answer that would come now is always among them.
type guess struct {
	world   *engine.World
	client  *engine.Client
	call    *engine.Call
	node    int           // counted from 0; where the call goes to Redis
	now     engine.Answer // the answer that would come if it arrived now
	choices []Choice
}

// mostKnown is how many values of a key known looks for: values with the same length may share a choice.
const mostKnown = 8 * MaxChoices

func (g *guess) choose() {
	if g.mayBeLost() {
		g.choices = append(g.choices, Choice{kind: isLost, says: lang.Format("No reply comes.", "没有回复。")})
	}
	if g.now.Reply.Err() != "" {
		g.add(g.now.Reply, lang.Format("An error: nothing changes.", "出错：什么也没有改变。"))
	}
	if g.call.Node == engine.Storage {
		g.storage(engine.RequestOf(g.call.Command))
		return
	}
	g.command(g.call.Command)
}

// storage adds the choices for a request to the storage.
func (g *guess) storage(r engine.Request) {
	switch r.Kind {
	case engine.Read:
		if r.Fence != nil {
			g.add(redis.Nil, lang.Format("The storage rejects the token.", "存储拒绝这个令牌。"))
		}
		number, _ := g.world.Number()
		for _, n := range g.numbers() {
			g.add(redis.Integer(n), lang.Format("The storage holds %d.", "存储里是 %d。", n))
		}
		g.add(redis.Integer(number+1), lang.Format("The storage holds %d.", "存储里是 %d。", number+1))
		g.open(isNumber, "(integer) …", lang.Format("The storage holds another number.", "存储里是别的数。"))
	case engine.Stage:
		g.oneOrZero(lang.Format("The transaction keeps the number for the commit.", "事务留着这个数，等待提交。"), lang.Format("The storage rejects the write.", "存储拒绝这次写入。"))
	case engine.Commit:
		g.oneOrZero(lang.Format("The storage makes the number visible.", "存储让这个数对所有人可见。"), lang.Format("There is nothing to commit.", "没有可提交的内容。"))
	default:
		g.oneOrZero(lang.Format("The storage accepts the write.", "存储接受这次写入。"), lang.Format("The storage rejects the write.", "存储拒绝这次写入。"))
	}
}

// numbers returns numbers that a read may tell: the present one, the one that
// comes now, those in transactions and those of requests in flight. It returns
// no more than fit beside the other choices.
func (g *guess) numbers() []int64 {
	present, staged := g.world.Number()
	found := []int64{present}
	add := func(n int64) {
		if len(found) < MaxChoices-3 && !slices.Contains(found, n) {
			found = append(found, n)
		}
	}
	if n, ok := g.now.Reply.Int(); ok {
		add(n)
	}
	for _, s := range staged {
		add(s.Number)
	}
	for _, other := range g.world.Clients() {
		if call, replied := other.InFlight(); call != nil && !replied && call.Node == engine.Storage {
			if n := engine.RequestOf(call.Command).Number; n != nil {
				add(*n)
			}
		}
	}
	return found
}

// command adds the choices for a command that a program can send.
func (g *guess) command(words []string) {
	key := quote(redis.Keys(words)[0])
	missing := lang.Format("%s does not exist: nothing changes.", "%s 不存在：什么也没有改变。", key)
	switch words[0] {
	case "SETNX":
		g.oneOrZero(g.sets(key), taken(key))
	case "SET":
		g.set(words, key)
	case "GET":
		g.add(redis.Nil, lang.Format("%s does not exist.", "%s 不存在。", key))
		g.values(func(value string) lang.Text { return lang.Format("%s holds %s.", "%s 的值是 %s。", key, value) },
			lang.Format("%s holds something else.", "%s 是别的值。", key))
	case "GETSET", "GETDEL":
		g.before(key)
	case "DEL":
		g.oneOrZero(lang.Format("%s exists and is deleted.", "%s 存在，被删除。", key), missing)
	case "DELEX", "DELIFEQ":
		c, conditional := redis.ConditionOf(words)
		if !conditional {
			g.oneOrZero(lang.Format("%s exists and is deleted.", "%s 存在，被删除。", key), missing)
			return
		}
		done := lang.Both("is deleted", "于是被删除")
		if c.Differ {
			g.oneOrZero(lang.Format("%s holds something other than %s, and %s.", "%s 的值不是 %s，%s。", key, quote(c.Value), done),
				lang.Format("%s does not exist or holds %s: nothing changes.", "%s 不存在，或值就是 %s：什么也没有改变。", key, quote(c.Value)))
			return
		}
		g.compare(key, c.Value, done)
	case "EXPIRE", "PEXPIRE":
		g.oneOrZero(lang.Format("%s exists, and its time to live is set.", "%s 存在，生存时间已设置。", key), missing)
	case "PERSIST":
		g.oneOrZero(lang.Format("%s had a time to live, and now never expires.", "%s 原本有生存时间，现在永不过期。", key),
			lang.Format("%s does not exist or never expires: nothing changes.", "%s 不存在，或本来就永不过期：什么也没有改变。", key))
	case "TTL":
		g.life(key, 1000)
	case "PTTL":
		g.life(key, 1)
	case "EXISTS":
		g.oneOrZero(lang.Format("%s exists.", "%s 存在。", key), lang.Format("%s does not exist.", "%s 不存在。", key))
	case "TYPE":
		g.add("+string\r\n", lang.Format("%s holds a string.", "%s 中是字符串。", key))
		if g.now.Reply == "+hash\r\n" {
			g.add(g.now.Reply, lang.Format("%s holds a hash.", "%s 中是哈希。", key))
		}
		g.add("+none\r\n", lang.Format("%s does not exist.", "%s 不存在。", key))
	case "STRLEN":
		g.lengths(key)
	case "INCR", "DECR", "INCRBY", "DECRBY":
		g.counts(words[1], amount(words), func(n string) lang.Text { return lang.Format("%s is now %s.", "%s 现在是 %s。", key, n) },
			lang.Format("%s is now another number.", "%s 现在是别的数。", key))
	case "EVAL":
		g.script(words, key)
	}
}

func (g *guess) set(words []string, key string) {
	c, conditional := redis.ConditionOf(words)
	switch {
	case redis.HasOption(words, "GET"):
		g.before(key)
	case conditional && c.Differ:
		g.add(redis.OK, lang.Format("%s does not hold %s, and is set.", "%s 的值不是 %s，于是被写入。", key, quote(c.Value)))
		g.add(redis.Nil, lang.Format("%s holds %s: nothing changes.", "%s 的值就是 %s：什么也没有改变。", key, quote(c.Value)))
	case conditional:
		g.add(redis.OK, lang.Format("%s holds %s, and is overwritten.", "%s 的值是 %s，于是被改写。", key, quote(c.Value)))
		g.add(redis.Nil, lang.Format("%s does not hold %s: nothing changes.", "%s 的值不是 %s：什么也没有改变。", key, quote(c.Value)))
	case redis.HasOption(words, "NX"):
		g.add(redis.OK, g.sets(key))
		g.add(redis.Nil, taken(key))
	case redis.HasOption(words, "XX"):
		g.add(redis.OK, lang.Format("%s exists and is overwritten.", "%s 存在，值被改写。", key))
		g.add(redis.Nil, lang.Format("%s does not exist: nothing changes.", "%s 不存在：什么也没有改变。", key))
	default:
		g.add(redis.OK, lang.Format("%s is set, whatever was there.", "不管原来有没有值，%s 都被写入。", key))
		g.add(redis.Nil, lang.Format("Nothing changes.", "什么也没有改变。"))
	}
}

// script adds the choices for a named script: EVAL, the Lua, the number of keys, the keys, the arguments.
func (g *guess) script(words []string, key string) {
	switch redis.ScriptName(words[1]) {
	case "compare-and-delete":
		g.compare(key, words[4], lang.Both("is deleted", "于是被删除"))
	case "compare-and-set":
		g.compare(key, words[4], lang.Both("is overwritten", "于是被改写"))
	case "compare-and-expire":
		g.compare(key, words[4], lang.Both("its time to live is set", "于是重新设置生存时间"))
	case "set-and-fence":
		g.add(redis.Nil, taken(key))
		g.counts(words[4], 1, func(n string) lang.Text {
			return lang.Format("%s does not exist: %s sets it and gets fencing token %s.", "%s 不存在：%s 写入它，防护令牌是 %s。", key, g.client.Name, n)
		}, lang.Format("%s does not exist: %s sets it and gets another fencing token.", "%s 不存在：%s 写入它，防护令牌是别的数。", key, g.client.Name))
	}
}

// sets and taken say how a command that writes only absent keys ends.
func (g *guess) sets(key string) lang.Text {
	return lang.Format("%s does not exist: %s sets it.", "%s 不存在：%s 写入它。", key, g.client.Name)
}

func taken(key string) lang.Text {
	return lang.Format("%s exists: nothing changes.", "%s 已存在：什么也没有改变。", key)
}

// compare adds the choices for a command that acts only where a key holds a
// value.
func (g *guess) compare(key, value string, done lang.Text) {
	g.oneOrZero(lang.Format("%s holds %s, and %s.", "%s 的值是 %s，%s。", key, quote(value), done),
		lang.Format("%s does not hold %s: nothing changes.", "%s 的值不是 %s：什么也没有改变。", key, quote(value)))
}

// before adds the choices for a command that replies with the old value.
func (g *guess) before(key string) {
	g.add(redis.Nil, lang.Format("%s did not exist until now.", "%s 此前不存在。", key))
	g.values(func(value string) lang.Text {
		return lang.Format("%s held %s until now.", "%s 此前的值是 %s。", key, value)
	},
		lang.Format("%s held something else until now.", "%s 此前是别的值。", key))
}

// values adds the key's values, as many as fit beside one open choice.
func (g *guess) values(says func(value string) lang.Text, other lang.Text) {
	room := MaxChoices - len(g.choices) - 1
	values := g.known()
	for _, v := range values[:min(room, len(values))] {
		g.add(redis.Reply("$"+strconv.Itoa(len(v))+"\r\n"+v+"\r\n"), says(quote(v)))
	}
	g.open(isString, `"…"`, other)
}

// known returns values of the request's key: its present one; the one in the
// request itself; those that it would have if others went first; and those that
// it had, the latest first. It returns no more than could become choices.
func (g *guess) known() []string {
	w, node, words := g.world, g.node, g.call.Command
	key := words[1]
	var found []string
	add := func(s *engine.Stored) {
		if s != nil && !slices.Contains(found, s.Value) {
			found = append(found, s.Value)
		}
	}
	add(w.Stored(node, key))
	if words[0] == "SET" || words[0] == "GETSET" {
		add(&engine.Stored{Value: words[2]})
	}
	for i, other := range w.Clients() {
		if request, at := other.Request(false); other == g.client || request == nil || at != node {
			continue
		}
		twin := w.Fork()
		twin.Serve(i, false)
		add(twin.Stored(node, key))
		twin.Close()
	}
	for _, e := range slices.Backward(w.Events()) {
		if len(found) >= mostKnown {
			break
		}
		for _, change := range e.Changes {
			if e.Lane == g.call.Node && change.Key == key {
				add(change.New)
			}
		}
	}
	return found
}

// lengths adds the lengths of the key's values.
func (g *guess) lengths(key string) {
	g.add(redis.Integer(0), lang.Format("%s does not exist, or is empty.", "%s 不存在，或值为空。", key))
	for _, v := range g.known() {
		if len(g.choices) < MaxChoices-1 {
			g.add(redis.Integer(int64(len(v))), lang.Format("The value of %s has %d bytes.", "%s 的值有 %d 字节。", key, len(v)))
		}
	}
	g.open(isNumber, "(integer) …", lang.Format("The value of %s has another length.", "%s 的值是别的长度。", key))
}

// counts adds numbers around the one that adding an amount to a counter gives.
// Its place among them depends on the number of the call; otherwise it would
// always stand in the middle.
func (g *guess) counts(counter string, amount int64, says func(n string) lang.Text, other lang.Text) {
	last := int64(0)
	if s := g.world.Stored(g.node, counter); s != nil {
		last, _ = strconv.ParseInt(s.Value, 10, 64) // where it is no number, the reply is an error
	}
	first := int64(g.call.ID%3) - 1 // the distance of the lowest number from the last, in amounts
	if amount == 0 {
		amount = 1
		first = -int64(g.call.ID % 3)
	}
	if last+first*amount < 0 && last >= 0 && amount > 0 {
		first = 0
	}
	for i := range int64(3) {
		n := last + (first+i)*amount
		g.add(redis.Integer(n), says(strconv.FormatInt(n, 10)))
	}
	g.open(isNumber, "(integer) …", other)
}

// amount returns by how much a command changes a counter.
func amount(words []string) int64 {
	n := int64(1)
	if len(words) > 2 {
		n, _ = strconv.ParseInt(words[2], 10, 64) // where it is no number, the reply is an error
	}
	if strings.HasPrefix(words[0], "DECR") {
		return -n
	}
	return n
}

// life adds how long the key may still live, in units of that many
// milliseconds: its present life, the length of the client's leases, and half
// of that.
func (g *guess) life(key string, unit engine.Time) {
	g.add(redis.Integer(-2), lang.Format("%s does not exist.", "%s 不存在。", key))
	g.add(redis.Integer(-1), lang.Format("%s never expires.", "%s 永不过期。", key))
	left, _ := g.now.Reply.Int()
	full := int64(g.client.Options.Timeout / unit)
	for _, n := range []int64{left, full, (full + 1) / 2} {
		if n > 0 && len(g.choices) < MaxChoices-1 {
			g.add(redis.Integer(n), lang.Format("%s lives for %s more.", "%s 还能存活 %s。", key, engine.Length(engine.Time(n)*unit)))
		}
	}
	g.open(isNumber, "(integer) …", lang.Format("%s lives for another length of time.", "%s 还能存活，但时长不同。", key))
}

// mayBeLost reports whether the loss of a request is likely: its program
// handles failures, or a Redis node is down or has been.
func (g *guess) mayBeLost() bool {
	nodes := g.world.Nodes()
	for i := range nodes {
		if g.world.Down(i) {
			return true
		}
	}
	return g.client.Tries() ||
		slices.ContainsFunc(g.world.Events(), func(e engine.Event) bool { return e.Kind == engine.Crash && slices.Contains(nodes, e.Lane) })
}

func (g *guess) oneOrZero(one, zero lang.Text) {
	g.add(redis.Integer(1), one)
	g.add(redis.Integer(0), zero)
}

// add adds the choice of exactly that reply.
func (g *guess) add(r redis.Reply, says lang.Text) {
	if !slices.ContainsFunc(g.choices, func(c Choice) bool { return c.reply == r }) {
		g.choices = append(g.choices, Choice{Text: r.String(), says: says, kind: kindOf(r), reply: r})
	}
}

// open adds the choice of any other reply of a kind.
func (g *guess) open(k kind, shown string, says lang.Text) {
	g.choices = append(g.choices, Choice{Text: shown, says: says, kind: k})
}

// quote writes a key or a value as it stands in a sentence.
func quote(s string) string { return redis.Quote([]string{s}) }
