package engine

// Lapses reports whether the lease of a client that is inside runs out within a length of time: the value by which it got in.
func (w *World) Lapses(length Time) bool {
	for _, c := range w.clients {
		if c.Status != Inside || c.Grant == nil {
			continue
		}
		now := w.nodes[c.Grant.Node].stored[c.Grant.Key]
		if now != nil && now.Writer == c.Name && now.Expires > 0 && now.Expires <= w.now+length {
			return true
		}
	}
	return false
}
