package program

import "slices"

// Extends reports whether a recording tells all that another one of the same name and title tells, and perhaps more.
func (p *Program) Extends(q *Program) bool {
	larger, isLarger := p.behaviour.(*recorded)
	smaller, isSmaller := q.behaviour.(*recorded)
	return isLarger && isSmaller && p.Name == q.Name && larger.title == smaller.title && larger.root.covers(smaller.root)
}

// covers reports whether a step and what follows it tell all that another one tells.
func (s *step) covers(o *step) bool {
	for o != nil {
		if s == nil || !s.op.tells(o.op) {
			return false
		}
		if len(o.after) != 1 {
			break
		}
		for seen, after := range o.after { // a long life is a loop here, and no deep recursion
			s, o = s.after[seen], after
		}
	}
	if o == nil {
		return true
	}
	for seen, after := range o.after {
		if !s.after[seen].covers(after) {
			return false
		}
	}
	return true
}

// tells reports whether an operation is another one, or is a sleep that has turned out to be drawn by lot.
func (o Op) tells(p Op) bool {
	if o.Kind == Sleep && o.For == 0 {
		p.For = 0
	}
	return o.equal(p)
}

// equal reports whether two operations of recordings are the same.
func (o Op) equal(p Op) bool {
	return o.Kind == p.Kind && slices.Equal(o.Command, p.Command) && o.For == p.For && o.Back == p.Back && o.Code == p.Code && o.Text == p.Text
}
