package explorepages

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/search"
)

// The messages of the explorer's socket, as PROTOCOL.md describes them.
type (
	// An inquiry is the first message: a question, as it stands in an address.
	inquiry struct {
		Type   string `json:"type"` // search or luck; later: stop
		Query  string `json:"query"`
		Source string `json:"source"` // of the visitor's own program
	}

	// inQueue gives a search's place in the queue.
	inQueue struct {
		Type  string `json:"type"`
		Place int    `json:"place"`
		Text  string `json:"text"`
	}

	// progress gives the figures of a search.
	progress struct {
		Type string `json:"type"`
		explore.Figures
		Seconds float64           `json:"seconds"`
		Says    map[string]string `json:"says"` // the same in words, by figure
	}

	// A reply gives the findings of a search.
	reply struct {
		Type string `json:"type"`
		explore.Figures
		Verdict         string             `json:"verdict"`
		Text            string             `json:"text"`
		HTML            string             `json:"html"`
		Counterexamples []present.Pictured `json:"counterexamples"`
	}

	// lucky gives the findings of random schedules so far.
	lucky struct {
		Type      string `json:"type"`
		Schedules int64  `json:"schedules"`
		Violating int64  `json:"violating"`
		Over      bool   `json:"over"`
		Text      string `json:"text"`
		HTML      string `json:"html"`
	}
)

// errGone ends a search whose visitor has left.
var errGone = errors.New("the socket has ended")

// askTime is how long a socket may stay open without a question.
const askTime = 10 * time.Second

// handleExploreLive opens the socket of one search: the visitor asks, sees the progress
// and gets the answer. The search ends with its socket.
func (p *Pages) handleExploreLive(w http.ResponseWriter, r *http.Request) {
	l := door.Language(r)
	if p.searching.Add(1) > int32(p.maxViewers) {
		p.searching.Add(-1)
		http.Error(w, views.Say(l, "explore.queue-full"), http.StatusServiceUnavailable)
		return
	}
	left := func() { p.searching.Add(-1) }
	socket, err := p.Upgrade(w, r, &p.Rooms.Runs.Sockets)
	if err != nil {
		left()
		p.Log.Debug("socket of the explorer", "err", door.Nameless(err.Error()))
		return
	}
	of := door.VisitorOf(r)
	v := searcher{p.Rooms.Runs.NewViewer(live.Look{Language: l, Network: of.Network, Person: of.Person}, socket), socket, of, l, p.ClassOf(r)}
	p.Rooms.Runs.Sockets.Add(v.Viewer)
	go p.Survives(func() {
		defer left()
		p.attendSearch(v)
	}, v.Drop)()
}

// A searcher is a visitor with the socket of their search.
type searcher struct {
	*live.Viewer
	socket live.Socket
	door.Visitor
	language lang.Language
	class    *views.ClassLink // the room that the searcher may show the answer to; nil: none
}

// attendSearch serves a searcher until their socket ends.
func (p *Pages) attendSearch(v searcher) {
	defer p.Rooms.Runs.Sockets.Remove(v.Viewer)
	var others sync.WaitGroup
	defer others.Wait()
	defer v.End() // which ends the listener
	silent := time.AfterFunc(askTime, p.Survives(v.Drop, func() {}))
	data, err := v.socket.Receive()
	silent.Stop()
	if err == nil {
		ctx, cancel := context.WithCancelCause(context.Background())
		others.Go(p.Survives(func() { cancel(listen(v.socket)) }, v.Drop))
		err = p.inquire(ctx, v, v.Visitor, data)
	} else if !errors.Is(err, live.ErrBinary) && !live.IsUnread(err) {
		return
	}
	if err != nil && !errors.Is(err, errGone) && !errors.Is(err, search.ErrStopped) {
		v.Send(live.Encode(live.NewErrorMessage(err, v.language)))
	}
	if errors.Is(err, search.ErrClosing) { // every socket gets this frame before the server ends
		v.socket.Leave()
	}
}

// listen waits until the search has to end, and returns the reason.
func listen(from live.Socket) error {
	for {
		data, err := from.Receive()
		if err != nil && !errors.Is(err, live.ErrBinary) {
			return errGone
		}
		var asked inquiry
		if json.Unmarshal(data, &asked) == nil && asked.Type == "stop" {
			return search.ErrStopped
		}
	}
}

// inquire answers a question when its turn comes.
func (p *Pages) inquire(ctx context.Context, v searcher, of door.Visitor, data []byte) error {
	var asked inquiry
	if err := json.Unmarshal(data, &asked); err != nil {
		return live.ErrMalformed
	}
	if asked.Type != "search" && asked.Type != "luck" {
		return live.UnknownType(asked.Type)
	}
	fields, err := url.ParseQuery(asked.Query)
	if err != nil {
		return live.ErrMalformed
	}
	fields.Set("source", asked.Source)
	fields.Set("run", asked.Type)
	q, err := present.ReadQuestion(fields)
	if err != nil {
		return err
	}
	a := p.Work.Asker(context.WithoutCancel(ctx), of.Network, of.Person) // a search that is stopped has an answer, too
	defer a.Done()
	turn, err := p.explorer.Join(ctx, of.Network, of.Person)
	if err != nil {
		return err
	}
	defer turn.End(nil)
	if q.Run == "search" {
		turn.About(q.Question, q.Causes)
	}
	if err := turn.Wait(func(place int) {
		v.Send(live.Encode(inQueue{Type: "queue", Place: place, Text: views.Say(v.language, "explore.place", place)}))
	}); err != nil {
		return err
	}
	told := func(f explore.Figures, took time.Duration) {
		v.Send(live.Encode(progress{Type: "progress", Figures: f, Seconds: took.Seconds(), Says: inWords(present.Figures(f, took, v.language))}))
	}
	told(explore.Figures{Depths: []int64{}}, 0)
	limit := p.explorer.Time
	if q.Run == "luck" { // one search for one counterexample measures it
		q.Causes, limit = false, min(limit, p.explorer.Moment)
	}
	found, err := turn.Find(q.Question, q.Causes, limit, told)
	if err != nil {
		return err
	}
	if err := turn.Ended(); err != nil && !errors.Is(err, search.ErrStopped) {
		return err
	}
	if q.Run == "luck" && found.Failure == nil {
		return p.inquireLuck(turn, v, q, found)
	}
	site := p.Site(v.language)
	site.Class = v.class
	answer, err := replyOf(found, q, a.Context(), site)
	if err == nil {
		v.Send(live.Encode(answer))
	}
	return err
}

// replyOf makes the reply with a finding.
func replyOf(found search.Finding, q present.Question, ctx context.Context, site views.Site) (reply, error) {
	o, pictures, err := present.Outcome(found, q, search.Playing(q.Property, &found.Left, ctx), site)
	return reply{Type: "answer", Figures: found.Figures, Verdict: o.Verdict, Text: o.Sentence, HTML: present.Markup(exploreview.OutcomePanel(o)), Counterexamples: pictures}, err
}

// inquireLuck measures how often random schedules find a violation.
func (p *Pages) inquireLuck(turn *search.Turn, v searcher, q present.Question, found search.Finding) error {
	told := func(d search.Draw) {
		k := present.Luck(d, found, q, v.language)
		v.Send(live.Encode(lucky{Type: "luck", Schedules: d.Schedules, Violating: d.Violating, Over: d.Over, Text: k.Sentence, HTML: present.Markup(exploreview.LuckPanel(k))}))
	}
	d, err := turn.Draw(q.Question, p.explorer.Time, told)
	if err != nil {
		return err
	}
	if err := turn.Ended(); err != nil && !errors.Is(err, search.ErrStopped) {
		return err
	}
	told(d)
	return nil
}

// inWords returns figures by their names.
func inWords(all []exploreview.Figure) map[string]string {
	said := map[string]string{}
	for _, f := range all {
		said[f.Name] = f.Value
	}
	return said
}
