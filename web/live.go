package web

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// read does what the viewer asks for, until its socket ends or it sends what
// is too large to be read over.
func (s *Server) read(v *viewer, r *run) {
	for {
		data, err := v.receive()
		if refusal.Is(err, refusal.TooFast) {
			v.send(newFrame(errorFor(err, v.language)))
			err = nil
		}
		var q request
		switch {
		case err == nil:
			q, err = parseRequest(data)
		case !errors.Is(err, errBinary) && !isUnread(err):
			return
		}
		unread := isUnread(err)
		var answer any
		if err == nil {
			answer, err = s.doFor(q, v, r)
		}
		if err != nil {
			f := errorFor(err, v.language)
			f.ID = q.ID
			answer = f
		}
		if answer != nil && !v.reply(newFrame(answer)) {
			busy := errorFor(errAnswers, v.language)
			busy.ID = q.ID
			v.send(newFrame(busy))
		}
		if unread {
			return
		}
		v.waitForReader()
	}
}

// isUnread reports a message of which the rest is not read, so that the socket has to end.
func isUnread(err error) bool { return errors.Is(err, errLarge) || errors.Is(err, errReading) }

// doFor carries a request out as one that sets work off. While it waits for a turn, or has one, the socket is listened
// to: should it end, so does the request.
func (s *Server) doFor(q request, v *viewer, r *run) (answer any, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := s.work.Asker(ctx, v.network, v.person)
	defer a.Done()
	a.Waits = func() { v.listen(cancel) }
	if err := a.Begin(); err != nil {
		return nil, err
	}
	return s.do(a, q, v, r)
}

// do carries a request out. What changes the run is told to all its viewers;
// the answer, where there is one, is for the viewer who asked.
func (s *Server) do(a *limit.Asker, q request, v *viewer, r *run) (answer any, err error) {
	id := ownID(v.key, q.ID)
	line, err := q.line()
	switch {
	case err != nil:
	case q.Type == "act":
		p := s.presses(a, v.visitor, v.key, r, *q.At, id, line.wrong, line.actions...)
		return acted(q.ID, r.act(a, p, line.actions...))
	case q.Type == "schedule":
		p := s.presses(a, v.visitor, v.key, r, *q.At, id, nil, other)
		return acted(q.ID, r.schedule(a, p, engine.Scheduler{Random: q.Random, Seed: q.Seed}))
	}
	if r.hasDone(id) {
		return done{Type: "done", ID: q.ID}, nil
	}
	if made := r.family.madeBy(id); made != "" && err == nil && (q.Type == "branch" || q.Type == "rerun") {
		return s.openAgain(a, q, v, r, line, made)
	}
	if err == nil {
		err = s.allows(a, q, v, r)
	}
	if err == nil && q.makes(r) {
		err = s.mayMake(v.visitor)
	}
	if err != nil {
		return nil, err
	}
	switch q.Type {
	case "room":
		return done{Type: "done", ID: q.ID}, s.command(a, v.hub, v.key, q.ID, q.field)
	case "away":
		v.hub.goAway(v, q.Away)
	case "look":
		panels, err := r.look(a, *q.At, v.audience())
		return view{Type: "view", ID: q.ID, At: *q.At, Panels: panels}, err
	case "branch":
		var other *run
		var position int
		if other, position, err = s.branch(a, r, *q.At, id, line); err == nil {
			return opened(q.ID, other, position, 0), s.showBranch(a, v.key, q.ID, r, other)
		}
	case "rerun":
		var other *run
		var omitted int
		if other, omitted, err = s.rerun(a, r, *q.At, id, q.From, q.Program, q.Source); err == nil {
			return opened(q.ID, other, anywhere, omitted), s.showBranch(a, v.key, q.ID, r, other)
		}
	case "restore":
		if err = r.restore(a, id, q.Scenario, s.task(q.Task)); err == nil {
			err = errDone
		}
	}
	return acted(q.ID, err)
}

// line reads what the viewer acts with, once.
func (q request) line() (typedLine, error) {
	text, err := present.Line(q.Action, q.field)
	if err != nil || q.Type != "act" && q.Type != "branch" {
		return typedLine{}, err
	}
	return readLine(text), nil
}

// acted answers a press. The viewers hear what it has done, and a press that comes again is answered.
func acted(id string, err error) (answer any, _ error) {
	if errors.Is(err, errDone) {
		return done{Type: "done", ID: id}, nil
	}
	return nil, err
}

// openAgain answers a request that has made a run before, here or at another server.
func (s *Server) openAgain(a *limit.Asker, q request, v *viewer, r *run, line typedLine, made string) (answer any, err error) {
	other, err := s.runs.read(a, made)
	if err == nil {
		err = s.showBranch(a, v.key, q.ID, r, other)
	}
	if err != nil {
		return nil, err
	}
	if q.Type == "rerun" {
		return opened(q.ID, other, anywhere, other.omitted()), nil
	}
	return opened(q.ID, other, *q.At+len(line.actions), 0), nil // the branch has begun with them
}

// allows refuses what somebody in a room may not do.
func (s *Server) allows(a *limit.Asker, q request, v *viewer, r *run) error {
	switch q.Type {
	case "branch", "rerun", "restore":
		return s.mayAct(a, v.key, r, other)
	case "look":
		return s.mayLookAs(a, v.key, r)
	case "room", "away":
		if v.hub == nil {
			return errNoRoom
		}
	}
	return nil
}

// live opens the socket of a viewer, and returns when it is open: a request that
// lasts keeps net/http's buffers and the stacks of all its handlers, which were
// two thirds of what an idle viewer cost.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	l := language(r)
	run, done, err := s.runs.use(askerOf(r), chi.URLParam(r, "id"))
	if err != nil {
		httpError(w, refusal.Of(err), l)
		return
	}
	opened := false
	defer func() {
		if !opened {
			done()
		}
	}()
	if run.crowded(s.maxViewers) {
		http.Error(w, l.Say("error.crowded"), http.StatusServiceUnavailable)
		return
	}
	if err := s.mayLook(r, run); err != nil {
		httpError(w, refusal.Forbidden(err), l)
		return
	}
	var hub *hub
	place := run.placed()
	if place.Room != "" {
		in, out, err := s.rooms.enter(askerOf(r), place.Room)
		if err != nil {
			httpError(w, refusal.Of(err), l)
			return
		}
		end := done
		done = func() { out(); end() }
		hub = in
		hub.reachedAt(s.publicURL(r), keyOf(r, place.Room))
	}
	socket, err := s.upgrade(w, r)
	if err != nil {
		s.log.Debug("socket", "err", nameless(err.Error()))
		return
	}
	v := s.newViewer(l, socket)
	v.visitor = visitorOf(r)
	v.surface, v.run, v.hub, v.owner, v.key = surfaceOf(r.URL.Query().Get("surface")), run, hub, place.Seat, keyFor(r, run)
	s.sockets.add(v)
	opened = true
	has := extentOf(r.URL.Query())
	// What the viewer is told first is drawn here: that takes a deep stack, which
	// the goroutine that stays would keep.
	s.survives(func() { v.begin(askerOf(r), s.maxViewers, has) }, v.drop)()
	go s.survives(func() { s.attend(v, done) }, v.drop)()
}

// begin lets a viewer be told how everything is, and from then on what changes. It
// has been told the beginning of the log.
func (v *viewer) begin(a *limit.Asker, most int, has present.Extent) {
	if v.hub != nil {
		v.hub.dress(v)
	}
	if !v.run.join(a, v, most, has) {
		v.drop()
		return
	}
	if v.hub != nil {
		v.hub.join(a, v)
	}
}

// attend is with a viewer until its socket ends; done gives up what it uses.
func (s *Server) attend(v *viewer, done func()) {
	defer s.sockets.remove(v)
	defer s.countSlow(v)
	defer done() // before Close goes on
	defer v.end()
	defer v.run.leave(v)
	if v.hub != nil {
		defer v.hub.leave(v)
	}
	s.read(v, v.run)
}

func (r *run) crowded(most int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.viewers) >= most
}

// sockets are those that are open, so that they can be closed.
type sockets struct {
	mu      sync.Mutex
	open    map[*viewer]struct{}
	closed  bool
	waiting sync.WaitGroup // for those that open, too
}

// opens announces a socket: close waits until it is removed, or until doesNot says that it did not open. After close
// it reports that no socket opens any more.
func (s *sockets) opens() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.waiting.Add(1)
	return true
}

func (s *sockets) doesNot() { s.waiting.Done() }

// add keeps a viewer whose socket has opened. Where the sockets have been closed meanwhile it is told.
func (s *sockets) add(v *viewer) {
	s.mu.Lock()
	if s.open == nil {
		s.open = map[*viewer]struct{}{}
	}
	s.open[v] = struct{}{}
	late := s.closed
	s.mu.Unlock()
	if late {
		v.leave()
	}
}

func (s *sockets) remove(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, v)
	s.waiting.Done()
}

func (s *sockets) close() {
	s.mu.Lock()
	s.closed = true
	var told sync.WaitGroup
	for v := range s.open {
		told.Go(v.server.survives(v.leave, v.drop))
	}
	s.mu.Unlock()
	told.Wait()
	s.waiting.Wait()
}
