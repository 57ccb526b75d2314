package present

import (
	"encoding/json"
	"fmt"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	runview "lockstep/views/run"
	"lockstep/web/picture"
)

// drawn returns the events of a run with only what a picture shows: the sentence in the reader's language, and
// no data of the wire.
func drawn(r *engine.Run, l lang.Language) []map[string]any {
	all := make([]map[string]any, len(r.World().Events()))
	for i, e := range r.World().Events() {
		text, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err != nil {
			panic(fmt.Errorf("an event of a picture: %w", err)) // all of them are plain data
		}
		delete(all[i], "request")
		all[i]["sentence"] = map[lang.Language]string{l: e.Sentence(l)}
	}
	return all
}

// MostLinked bounds the events on the page of a link. Their JSON has the bound of a card.
const MostLinked = 1000

// ShowLinked puts on the page of a link what its run has come to, and the picture of it.
func ShowLinked(link *runview.Link, run *engine.Run) {
	w, l := run.World(), link.Lang
	t := told(run, link.Summary.Program(), l)
	link.Title, link.Sentence = t.title, t.sentence
	link.Window, link.About = t.title, t.sentence
	if t.stamp != "" {
		link.Title = views.Say(l, "link.after", t.title, exploreview.Actions(l, t.until))
	}
	if len(w.Events()) == 0 {
		link.Title, link.Sentence, link.Undrawn = views.Say(l, "face.link"), "", views.Say(l, "link.empty")
		link.Window, link.About = "", ""
		return
	}
	link.Counts = views.Say(l, "face.clients", clientCount(len(w.Clients()), l), exploreview.Actions(l, w.Actions()))
	if link.Window = t.title + " · " + t.about; link.Code != "" {
		link.Picture = views.WithQuery(pictureOf("/p"), link.Query())
	}
	if len(w.Events()) > MostLinked {
		link.Undrawn = views.Say(l, "link.large")
		return
	}
	events, bytes := drawn(run, l), 0
	for _, e := range events {
		text, err := json.Marshal(e)
		if err != nil {
			panic(fmt.Errorf("an event of a picture: %w", err)) // all of them are plain data
		}
		bytes += len(text)
	}
	if bytes > picture.MostBytes {
		link.Undrawn = views.Say(l, "link.large")
		return
	}
	link.Data = &runview.LinkData{Lang: l, Timeline: views.TimelineWords(l, check.Flags(l)), Events: events}
}

// LinkCard makes the picture of a link that carries a run of a program.
func LinkCard(run *engine.Run, program string, l lang.Language) picture.Card {
	t := told(run, program, l)
	card := picture.Card{Kind: t.about, Titles: []string{t.title}, Sentence: t.sentence, Stamp: t.stamp}
	show(&card, run.World().Events(), t.until, l)
	return card
}

// sentAt returns the line of the program at which a command was sent; 0: the event has none.
func sentAt(events []engine.Event, guilty engine.Event) (line int) {
	for _, e := range events {
		if guilty.Call != nil && e.Kind == engine.Send && e.Call.ID == guilty.Call.ID {
			line = e.Line
		}
	}
	return line
}

// A program with more lines than longSource is shown around one line, with that many before and after it.
const (
	longSource = 200
	aroundLine = 20
)

// source returns a program's text, with nobody in it. Of a long program it returns the lines around one of them.
func source(p *program.Program, line int, l lang.Language) []views.SourceLine {
	in := presenter{world: engine.New(engine.Header{}), language: l}
	lines := in.lines(p)
	if len(lines) > longSource {
		lines = lines[max(0, line-1-aroundLine):min(len(lines), line+aroundLine)]
	}
	return inSpace(lines)
}
