package detect

import (
	"bytes"
	"strconv"
)

// A script is one whose commands follow in a MONITOR log, or whose effect a recording tells.
type script struct {
	active bool
	line   int
	time   int64
	db     int32
	conn   int32
	from   []byte
	sha    uint64
	knows  uint8 // what its text shows that it does
	shown  bool  // a command of it has followed
	args   []uint64
	keys   []scriptKey
	names  []uint64 // of its keys
	said   []byte
}

// A scriptKey is what a script did to a key.
type scriptKey struct {
	hash                           uint64
	db                             int32
	name                           []byte
	exists, hexists, get, del, odd bool
	count                          int64 // of HINCRBY
	field                          []byte
	lease                          int64 // of an EXPIRE; 0: none
	set                            []byte
	setLease                       int64
	wasSet                         bool
}

const (
	maxScriptKeys = 16
	maxScriptArgs = 64
)

func (d *Detector) beginScript(c *Command) {
	if len(c.Words) < 3 {
		return
	}
	s := &d.script
	s.active, s.line, s.time, s.db, s.shown = true, c.Line, c.Time, c.DB, false
	s.said = shortened(s.said[:0], c.Words)
	s.conn, s.from = 0, append(s.from[:0], c.From...)
	s.args, s.keys, s.names = s.args[:0], s.keys[:0], s.names[:0]
	s.sha = sum(c.Words[1])
	if is(c.Words[0], "EVAL") {
		s.knows = purpose(c.Words[1])
		s.sha = 0
	} else {
		s.knows = d.scripts[s.sha]
	}
	n, err := strconv.Atoi(string(c.Words[2]))
	if err != nil || n < 0 {
		n = 0
	}
	for i, word := range c.Words[3:] {
		if i < n && len(s.names) < maxScriptArgs {
			s.names = append(s.names, sum(word)^uint64(c.DB)*0x9e3779b97f4a7c15)
		} else if len(s.args) < maxScriptArgs {
			s.args = append(s.args, sum(word))
		}
	}
}

// purpose returns what a script's text shows that it does.
func purpose(text []byte) (does uint8) {
	for _, word := range []string{"del", "unlink"} {
		if quotes(text, word) {
			does |= deletes
		}
	}
	for _, word := range []string{"expire", "pexpire", "px", "ex"} {
		if quotes(text, word) {
			does |= renews
		}
	}
	return does
}

// quotes reports whether a word stands in quotes in a text, in small or in capital letters.
func quotes(text []byte, word string) bool {
	for rest := text; ; {
		i := bytes.IndexAny(rest, `'"`)
		if i < 0 || i+1+len(word) >= len(rest) {
			return false
		}
		if end := rest[i+1+len(word)]; (end == '\'' || end == '"') && bytes.EqualFold(rest[i+1:i+1+len(word)], []byte(word)) {
			return true
		}
		rest = rest[i+1:]
	}
}

// learn keeps what a script does, by its SHA-1.
func (d *Detector) learn(sha, text []byte) { d.does(sum(sha), purpose(text)) }

func (d *Detector) does(sha uint64, does uint8) {
	if _, known := d.scripts[sha]; sha != 0 && does != 0 && (known || len(d.scripts) < maxScripts) {
		d.scripts[sha] |= does
	}
}

// inScript reads a command that a script ran.
func (d *Detector) inScript(c *Command) {
	s := &d.script
	if !s.active {
		if do := lookUp(c.Words[0]); do != nothingToDo && do != doRead && do != doGet { // whose script it is, is not known
			for _, name := range c.Words[1:] {
				if k := d.find(c.DB, name); k != nil {
					d.hear(k)
					k.isUnknown()
				}
			}
		}
		return
	}
	s.shown = true
	if len(c.Words) < 2 {
		return
	}
	name := c.Words[0]
	if lookUp(name) == doMany && len(c.Words) > 2 {
		for i := range c.Words[1:] {
			if k := s.key(c, c.Words[1+i]); k != nil {
				k.del = true
			}
		}
		return
	}
	k := s.key(c, c.Words[1])
	if k == nil {
		return
	}
	switch do := lookUp(name); {
	case is(name, "EXISTS"):
		k.exists = true
	case is(name, "HEXISTS") && len(c.Words) == 3:
		k.hexists, k.field = true, append(k.field[:0], c.Words[2]...)
	case is(name, "HINCRBY") && len(c.Words) == 4:
		k.count, _ = strconv.ParseInt(string(c.Words[3]), 10, 64)
		k.field = append(k.field[:0], c.Words[2]...)
	case do == doGet:
		k.get = true
	case do == doMany || do == doDel:
		k.del = true
	case do == doExpire:
		if lease, gone := leaseOf(c); gone {
			k.del = true
		} else {
			k.lease = lease
		}
	case do == doSet && len(c.Words) >= 3:
		d.setInScript(k, c)
	case do == doSetNX && len(c.Words) == 3 && !k.exists:
		d.askInScript(k, c, 0)
	case do == doSetNX && len(c.Words) == 3:
		k.set, k.wasSet, k.setLease = append(k.set[:0], c.Words[2]...), true, 0
	case do == nothingToDo || do == doRead && !bytes.EqualFold(name, []byte("HGET")) && !bytes.EqualFold(name, []byte("HMGET")):
	case do == doAny:
		for _, word := range c.Words[1:] {
			if k := s.key(c, word); k != nil {
				k.odd = true
			}
		}
	default:
		k.odd = true
	}
}

// key returns what the script did to a key.
func (s *script) key(c *Command, name []byte) *scriptKey {
	h := sum(name) ^ uint64(c.DB)*0x9e3779b97f4a7c15
	for i := range s.keys {
		if s.keys[i].hash == h {
			return &s.keys[i]
		}
	}
	if len(s.keys) == maxScriptKeys {
		return nil
	}
	if len(s.keys) < cap(s.keys) {
		s.keys = s.keys[:len(s.keys)+1]
	} else {
		s.keys = append(s.keys, scriptKey{})
	}
	k := &s.keys[len(s.keys)-1]
	*k = scriptKey{hash: h, db: c.DB, name: append(k.name[:0], name...), field: k.field[:0], set: k.set[:0]}
	return k
}

func (d *Detector) setInScript(k *scriptKey, c *Command) {
	o := setOptions{}
	if len(c.Words) > 3 {
		o = setOptionsOf(c)
	}
	switch {
	case o.wrong:
	case o.nx && !k.exists:
		d.askInScript(k, c, o.lease)
	case o.get || o.lease < 0:
		k.odd = true
	default:
		k.set, k.wasSet, k.setLease = append(k.set[:0], c.Words[2]...), true, o.lease
		if o.keep {
			k.setLease = -1
		}
	}
}

func (d *Detector) askInScript(k *scriptKey, c *Command, lease int64) {
	d.ask(d.follow(c.DB, c.Words[1]), d.asOf(c), d.scriptConn(), c.Words[2], lease)
}

// asOf returns a command as if the client itself had sent it, in the line of its script.
func (d *Detector) asOf(c *Command) *Command {
	own := *c
	own.Line = d.script.line
	return &own
}

func (d *Detector) scriptConn() int32 {
	if s := &d.script; s.conn == 0 {
		s.conn = d.conn(s.from)
	}
	return d.script.conn
}

// endScript reads what the script that ran last did to each key.
func (d *Detector) endScript() {
	s := &d.script
	if !s.active {
		return
	}
	s.active = false
	for i := range s.keys {
		d.scripted(&s.keys[i])
	}
	if s.shown {
		return
	}
	for _, h := range s.names { // a server that shows nothing of what a script does
		if k := d.keys[h]; k != nil {
			d.hear(k)
			k.isUnknown()
		}
	}
}

// scripted reads what a script did to a key.
func (d *Detector) scripted(did *scriptKey) {
	s := &d.script
	c := &Command{Line: s.line, Time: s.time, DB: did.db}
	k := d.keys[did.hash]
	switch {
	case did.odd:
		if k != nil {
			d.changed(k, c)
		}
		return
	case did.count > 0 && (did.exists || did.hexists):
		d.counted(d.follow(did.db, did.name), c, did)
		return
	case did.wasSet && did.exists:
		d.advanceAndGrant(d.follow(did.db, did.name), c, did.set, did.setLease)
		return
	case k == nil:
		return
	}
	switch {
	case did.wasSet:
		d.write(k, c, d.scriptConn(), did.set, setOptions{lease: did.setLease, xx: true})
	case did.count < 0 && did.del, did.get && did.del && !did.hexists:
		d.does(s.sha, deletes)
		d.redlock.deleted(d.node, k, c, d.tokens(did))
		d.tokenRelease(k, c, d.scriptConn(), d.tokenOf(k, did))
	case did.del:
		d.bareDelete(k, c, d.scriptConn())
	case did.get && did.lease != 0, did.hexists && did.lease != 0:
		d.does(s.sha, renews)
		d.redlock.extended(d.node, k, c, d.tokens(did), did.lease)
		d.renew(k, c, d.scriptConn(), d.tokenOf(k, did), did.lease)
	case did.lease != 0:
		if did.lease == k.until && k.state == present { // SETNX with EXPIRE
			return
		}
		d.renew(k, c, d.scriptConn(), 0, did.lease)
	case did.hexists && did.exists:
		w := who{token: sum(did.field), conn: d.scriptConn(), line: c.Line, time: c.Time}
		w.setText(did.field)
		d.advance(k, c.Time)
		k.row.Asks++
		d.forget(k, w.conn, w.token)
		d.refuse(k, c, w, false)
	case did.exists && !did.get && !did.hexists: // a request that was refused, as node-redlock sends it
		conn := d.scriptConn()
		d.advance(k, c.Time)
		k.row.Asks++
		w := who{conn: conn, line: c.Line, time: c.Time}
		for _, token := range s.args {
			if k.byToken(token) != nil || len(s.args) > 0 && token == s.args[0] {
				d.forget(k, conn, token)
				w.token = token
			}
		}
		d.refuse(k, c, w, false)
	case did.get || did.hexists:
		d.lookedOnly(k, c, did)
	}
}

// lookedOnly reads a script that has looked at a key and done nothing else: its token was not there.
func (d *Detector) lookedOnly(k *key, c *Command, did *scriptKey) {
	s := &d.script
	means := ByScript
	if s.knows&deletes == 0 && s.knows&renews != 0 {
		means = ByRenew
	}
	tokens := d.tokens(did)
	d.redlock.missed(d.node, k, c, tokens, means, s.knows&deletes != 0 || did.hexists)
	for _, token := range tokens {
		if h := k.byToken(token); h != nil {
			sha := s.sha
			if s.knows != 0 || did.hexists {
				sha = 0
			}
			d.failedRelease(k, c, d.scriptConn(), token, means, sha)
			return
		}
	}
	d.note(k, Note{Kind: Touched, Line: c.Line, Time: c.Time, Conn: d.scriptConn()})
}

// tokens returns those that a script may have looked for.
func (d *Detector) tokens(did *scriptKey) []uint64 {
	if len(did.field) > 0 {
		return []uint64{sum(did.field)}
	}
	return d.script.args
}

// tokenOf returns the token with which a script found its value; 0: unknown.
func (d *Detector) tokenOf(k *key, did *scriptKey) uint64 {
	if len(did.field) > 0 {
		return sum(did.field)
	}
	for _, token := range d.script.args {
		if k.state == present && token == k.value || k.state != present && (k.askedWith(token) != nil || k.byToken(token) != nil) {
			return token
		}
	}
	return 0
}

// counted reads Redisson's request, which was granted: the field of its owner counts.
func (d *Detector) counted(k *key, c *Command, did *scriptKey) {
	d.advance(k, c.Time)
	token, lease := sum(did.field), did.lease
	if h := k.hold(k.current); k.state == present && h != nil && h.token == token {
		d.renew(k, c, d.scriptConn(), token, lease) // once more
		return
	}
	d.advanceAndGrant(k, c, did.field, lease)
}

// advanceAndGrant lets a script have the lock, which itself has seen that it is free.
func (d *Detector) advanceAndGrant(k *key, c *Command, token []byte, lease int64) {
	if d.advance(k, c.Time) || k.state != absent {
		if h := k.hold(k.current); h != nil && h.end == running && (h.lease <= 0 || c.Time < h.lease-Margin) {
			k.drop(h.id) // what was known of it was wrong
		}
		k.state, k.current = absent, 0
	}
	conn := d.scriptConn()
	k.row.Asks++
	k.row.Script = true
	k.nx = true
	k.asks(conn, false)
	d.forget(k, conn, sum(token))
	w := who{token: sum(token), conn: conn, line: c.Line, time: c.Time, lease: lease}
	w.setText(token)
	d.grant(k, c, w)
}
