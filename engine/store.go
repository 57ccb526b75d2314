package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"lockstep/engine/redis"
)

// A Store is the component of a Redis node, or of the storage.
type Store struct {
	Stored     map[string]*Stored
	Down, Lost bool // Lost: it went down without its data
	Since      Time // when down: true time of its crash
	Grants     int  // given so far: it matters only to a run that writes to the storage

	// Replica is what its replica has: it matters only where there are failovers. nil: nothing.
	Replica map[string]*Stored

	Storage bool // the storage, which stands after the nodes and has nothing of what nodes have
	storage storage
}

// Store returns the component of a node, counted from 0, or of the storage,
// which comes after the nodes. Callers do not change it.
func (w *World) Store(node int) Store {
	if node == len(w.nodes) {
		return Store{Storage: true, storage: w.storage.fork()}
	}
	n := w.nodes[node]
	s := Store{Stored: make(map[string]*Stored, len(n.stored)), Down: n.down, Lost: n.lost, Since: n.since, Grants: n.grants, Replica: n.replica}
	for key, stored := range n.stored {
		copied := *stored
		copied.Order = 0 // numbers belong to the log, and a component has none
		s.Stored[key] = &copied
	}
	return s
}

// Key returns a string that differs for stores that may behave differently.
func (s Store) Key() string {
	var k keyWriter
	if s.Down {
		k.word("down", strconv.FormatBool(s.Lost), s.Since.String())
	}
	if s.Grants > 0 {
		k.word("grants", strconv.Itoa(s.Grants))
	}
	if s.Storage {
		k.word("storage")
	}
	if s.storage.fence != nil {
		k.word("fence", strconv.FormatInt(*s.storage.fence, 10))
	}
	if n := s.storage.number; n != 0 {
		k.word("number", strconv.FormatInt(n, 10))
	}
	for _, o := range s.storage.sessions {
		k.word("session", o.client, strconv.FormatBool(o.read), o.by)
		if o.staged != nil {
			k.word("staged", strconv.FormatInt(*o.staged, 10))
		}
	}
	for _, l := range s.storage.last {
		k.word("last", strconv.Itoa(l.node), l.key, strconv.Itoa(l.generation), l.client)
	}
	k.stored(s.Stored)
	if len(s.Replica) > 0 {
		k.word("replica")
		k.stored(s.Replica)
	}
	return k.String()
}

// Renamed returns the store with every name rewritten.
func (s Store) Renamed(rewrite func(string) string) Store {
	s.Stored, s.Replica = renamedValues(s.Stored, rewrite), renamedValues(s.Replica, rewrite)
	s.storage = s.storage.fork()
	for i, l := range s.storage.last {
		s.storage.last[i].client, s.storage.last[i].key = rewrite(l.client), rewrite(l.key)
	}
	for i, o := range s.storage.sessions {
		s.storage.sessions[i].client, s.storage.sessions[i].by = rewrite(o.client), rewrite(o.by)
	}
	slices.SortFunc(s.storage.sessions, func(a, b session) int { return cmp.Compare(a.client, b.client) })
	return s
}

func renamedValues(values map[string]*Stored, rewrite func(string) string) map[string]*Stored {
	renamed := make(map[string]*Stored, len(values))
	for key, v := range values {
		copied := *v
		copied.Value, copied.Writer = rewrite(v.Value), rewrite(v.Writer)
		copied.Value = redis.Sorted(v.Type, copied.Value)
		renamed[rewrite(key)] = &copied
	}
	return renamed
}

// Size returns about how many bytes the store takes in memory.
func (s Store) Size() int64 {
	n := int64(unsafe.Sizeof(s)) + mapSize(len(s.Stored))
	for key, v := range s.Stored {
		n += allocated(key) + v.size()
	}
	if s.Replica != nil {
		n += mapSize(len(s.Replica))
		for key, v := range s.Replica {
			n += allocated(key) + v.size()
		}
	}
	for _, l := range s.storage.last {
		n += int64(unsafe.Sizeof(l)) + allocated(l.key)
	}
	for _, o := range s.storage.sessions {
		n += int64(unsafe.Sizeof(o)) + 8
	}
	return n
}

// A keyWriter joins strings into one, and no two lists give the same result.
type keyWriter struct{ strings.Builder }

func (k *keyWriter) word(words ...string) {
	for _, word := range words {
		k.WriteString(strconv.Itoa(len(word)))
		k.WriteByte(':')
		k.WriteString(word)
	}
	k.WriteByte('.')
}

func (k *keyWriter) stored(values map[string]*Stored) {
	for _, key := range sortedKeys(values) {
		v := values[key]
		k.word(key, v.Value, v.Writer, v.Expires.String())
		if v.Type != redis.String {
			k.word(string(v.Type))
		}
	}
}

func (k *keyWriter) grant(g *Grant) {
	if g != nil {
		k.word("grant", strconv.Itoa(g.Node), g.Key, g.Stored.Value)
	}
}
