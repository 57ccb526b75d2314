package engine

// A client without a program cannot tell when it is in the critical section: its commands are typed by hand, or come from
// the log of a real Redis. The actions enter and leave say it instead. Properties then judge the client as they judge all
// others.

// canEnter refuses an enter for a client that runs a program, or is in the critical section already.
func (w *World) canEnter(a Action) *Refusal {
	c := w.Client(a.Client)
	switch {
	case !isClient(a.Client):
		return w.canSpawn(a)
	case c == nil && len(w.clients) >= MaxClients:
		return refuse("a run has at most %d clients", "一次运行至多有 %d 个客户端", MaxClients)
	case c == nil:
	case c.Program != nil:
		return refuse("%s runs a program, which decides when it enters", "%s 在运行程序；何时进入临界区由程序决定", c.Name)
	case c.Status == Inside:
		return refuse("%s is in the critical section already", "%s 已经在临界区", c.Name)
	}
	return nil
}

// canLeave refuses a leave for a client that runs a program, or is not in the critical section.
func (w *World) canLeave(a Action) *Refusal {
	c := w.Client(a.Client)
	switch {
	case c == nil:
		return refuse("there is no client %s", "没有客户端 %s", a.Client)
	case c.Program != nil:
		return refuse("%s runs a program, which decides when it leaves", "%s 在运行程序；何时离开临界区由程序决定", c.Name)
	case c.Status != Inside:
		return refuse("%s is not in the critical section", "%s 不在临界区", c.Name)
	}
	return nil
}

// connect returns the client with that name, and lets it appear if there is none.
func (w *World) connect(name string) *Client {
	c := w.Client(name)
	if c == nil {
		c = &Client{Name: name, Status: Waits}
		w.clients = append(w.clients, c)
		w.emit(Event{Lane: c.Name, Kind: Spawn, Spawned: w.spawned(c)})
	}
	return c
}

// enterByHand takes a client into the critical section. Its grant is the value that it stored last. Nobody knows what a
// real client believes; it is taken to believe in its lease for as long as the TTL that it asked for.
func (w *World) enterByHand(c *Client) {
	c.Status, c.Grant, c.Lease, c.Entered = Inside, c.wrote, &Lease{}, true
	if g := c.Grant; g != nil {
		c.Lease.Until, c.Lease.Token = w.ownExpiry(c), g.Stored.Value
	}
	c.Believes = c.Lease.Until == 0 || w.clock(c) < c.Lease.Until
	w.emit(Event{Lane: c.Name, Kind: Enter, Lease: c.Lease, Believes: new(c.Believes)})
}

// leaveByHand ends the stay. What the client stored is no lock of its own any more: it may release it, and so may others.
func (w *World) leaveByHand(c *Client) {
	c.Status, c.Believes, c.Lease, c.Grant, c.Removed, c.wrote = Waits, false, nil, nil, nil, nil
	w.emit(Event{Lane: c.Name, Kind: Leave})
}

// ownExpiry returns when a client's grant expires, with the changes that it has made to the TTL; 0: never.
func (w *World) ownExpiry(c *Client) Time {
	g := c.Grant
	if s := w.nodes[g.Node].stored[g.Key]; s != nil && s.Value == g.Stored.Value && s.Writer == c.Name {
		return s.Expires
	}
	return g.Stored.Expires
}

// renewByHand looks for a renewal in the command that a client in the critical section has just sent: another TTL of its
// key, or another value in it.
func (w *World) renewByHand(c *Client, before Time) {
	if g := c.wrote; g != c.Grant && g.Node == c.Grant.Node && g.Key == c.Grant.Key {
		c.Grant = g
	}
	until := w.ownExpiry(c)
	if until == before || until == 0 {
		return
	}
	c.Lease = &Lease{Until: until, Token: c.Grant.Stored.Value}
	event := Event{Lane: c.Name, Kind: Renew, Lease: c.Lease}
	if w.reviewByHand(c) {
		event.Believes = new(c.Believes)
	}
	w.emit(event)
}

// reviewByHand judges the belief of a client in the critical section again, after its clock has moved.
func (w *World) reviewByHand(c *Client) (changed bool) {
	if c.Status != Inside {
		return false
	}
	believes := c.Lease.Until == 0 || w.clock(c) < c.Lease.Until
	changed, c.Believes = believes != c.Believes, believes
	return changed
}
