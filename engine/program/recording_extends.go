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
		if s == nil || !s.op.equal(o.op) {
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

// equal reports whether two operations of recordings are the same.
func (o Op) equal(p Op) bool {
	return o.Kind == p.Kind && slices.Equal(o.Command, p.Command) && o.For == p.For && o.Back == p.Back && o.Code == p.Code && o.Text == p.Text
}
