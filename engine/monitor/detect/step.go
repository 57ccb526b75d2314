package detect

// A Step is what a command did to the key that is watched.
type Step struct {
	Node   int
	Kind   NoteKind // Asked, Renewed, Released, Deleted, or Touched: an upset
	Line   int
	Time   int64
	Lease  int64
	Conn   int32
	Upset  UpsetKind
	DB     int32
	All    bool
	Number uint64 // of the token
	Holder Holder // who sent it
	Bare   bool   // a release by a DEL alone
	from   *attempt
}

// Watch calls a function for each step on a key, and for the upsets of all nodes.
func (r *Redlock) Watch(db int32, name string, step func(Step)) {
	r.watched, r.watch = sum([]byte(name))^uint64(db)*0x9e3779b97f4a7c15, step
}

// Ahead returns by how much the clock of a node is ahead of that of the first one, about; 0: nobody knows.
func (r *Redlock) Ahead(n int) int64 { return r.apart[0][n].median }

// Holds returns until when somebody held the lock whose step it was, by its leases. It reports false for one who had no majority.
func (r *Redlock) Holds(s *Step) (end int64, ok bool) {
	h, ok := r.held(s.from)
	return h.end, ok
}

// Granted reports whether the node granted the request that a step is.
func (s *Step) Granted() bool {
	return s.from != nil && s.from.votes[s.Node].line == s.Line && s.from.votes[s.Node].granted
}

// Token returns the token of a step, as far as the logs tell it.
func (s *Step) Token() string {
	if s.from == nil {
		return ""
	}
	return s.from.text
}

func (r *Redlock) step(n int, k *key, s Step, a *attempt) {
	if r.watch == nil || k.hash != r.watched {
		return
	}
	s.Node, s.Number, s.from = n, a.token, a
	d := r.nodes[n]
	conn := s.Conn
	if conn == 0 {
		conn = a.votes[n].conn
	}
	s.Holder.Address, s.Holder.Name = d.Address(conn)
	r.watch(s)
}
