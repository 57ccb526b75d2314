package hub

import (
	"time"
)

func (g *Hub[T]) done(p *slot[T]) {
	begun, bytes := p.it.Size()
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	p.count(0)
	p.network, p.person, p.by = "", "", nil
	if !begun || !p.begun || g.all[p.id] != p {
		g.forget(p)
		return
	}
	p.bytes, p.since = bytes, time.Now()
	p.idle, g.spare = g.idle.PushBack(p), g.spare+bytes
	g.dropSpare()
	g.sweepLater()
}

// dropSpare forgets unused things until no more than the most are left.
func (g *Hub[T]) dropSpare() {
	for g.idle.Len() > g.IdleMost || g.spare > g.IdleBytes {
		g.dropOldest()
	}
}

// dropOldest forgets the thing that has been unused for the longest time, if there is one.
func (g *Hub[T]) dropOldest() bool {
	oldest := g.idle.Front()
	if oldest == nil {
		return false
	}
	g.forget(oldest.Value.(*slot[T]))
	return true
}

func (g *Hub[T]) sweepLater() {
	if g.IdleTime > 0 && !g.swept && g.idle.Len() > 0 {
		g.swept = true
		time.AfterFunc(g.IdleTime, g.Survives(g.sweep, func() {}))
	}
}

// sweep forgets what has been unused for IdleTime.
func (g *Hub[T]) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for oldest := g.idle.Front(); oldest != nil && time.Since(oldest.Value.(*slot[T]).since) >= g.IdleTime; oldest = g.idle.Front() {
		g.dropOldest()
	}
	g.swept = false
	g.sweepLater()
}

// forget removes a place from memory.
func (g *Hub[T]) forget(p *slot[T]) {
	if g.all[p.id] == p {
		delete(g.all, p.id)
	}
	g.wake(p)
	if p.begun {
		p.begun = false
		g.begun--
	}
	p.it.Stop()
}
