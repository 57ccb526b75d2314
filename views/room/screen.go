package room

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

// ScreenPanels returns the parts of the projector that the server renders again when the
// run changes: none, because the projector's script has the events and draws the
// driver's position itself.
func ScreenPanels(runview.Page) []runview.Panel { return nil }

// address returns the site's address as people read it out: its first page asks for the code.
func (r Room) address() string { return place(strings.TrimSuffix(r.JoinURL, r.Path)) }

// place strips the parts of an address that a browser does not need.
func place(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	return rest
}

// begins returns where the script finds the start of the exercise, and the sentence with which the picture shows it.
func (r Room) begins() templ.Attributes {
	if r.Exercise == nil || r.Exercise.Start == "" || r.Over != "" {
		return nil
	}
	return templ.Attributes{"data-start": r.Exercise.Start, "data-begins": views.Say(r.Lang, "screen.exercise.begins")}
}

// exerciseID is another one once there is a ranking: the script then measures again how much of the wall the exercise needs.
func (r Room) exerciseID() string {
	if len(r.Ranking) > 0 {
		return "screen-exercise-ranked"
	}
	return "screen-exercise"
}

// busy reports whether a room has a poll, an exercise, a test or a verdict beside its run.
func (r Room) busy() bool {
	return r.Poll != nil || r.Exercise != nil || r.Test != nil || r.Verdict != nil
}

// tellsHere reports whether a page says how many people are here. During a test they are at its page, which has no connection.
func (r Room) tellsHere() bool { return r.Test == nil }

// crowd returns the size of the letters of team names, by the number of lanes.
func (r Room) crowd() string {
	if len(r.Lanes) > 6 {
		return "many"
	}
	return "few"
}

// mostNames returns how many names of a team fit. With many lanes, the page counts the
// others.
func (r Room) mostNames() int {
	if len(r.Lanes) > 6 {
		return 1
	}
	return mostNames
}

// numbers returns the numbers of the seats with a client, which stand for the names where lanes need the room.
func (r Room) numbers(client string) string {
	var numbers []string
	for _, s := range r.Seats {
		if s.Lane == client {
			numbers = append(numbers, strconv.Itoa(s.Number))
		}
	}
	shown, others := someNames(numbers, mostNames)
	if others > 0 {
		shown = append(slices.Clone(shown), fmt.Sprintf("+%d", others))
	}
	return strings.Join(shown, " ")
}

// A longer list of names shows this many.
const (
	mostNames   = 3
	mostJoined  = 24
	mostRanking = 10
)

// someNames returns the first names, and the number of others.
func someNames(names []string, most int) (shown []string, others int) {
	if len(names) <= most {
		return names, 0
	}
	return names[:most], len(names) - most
}

// latest returns the names of the last people to join, the newest first, and the number
// of others. People who join look for their own name.
func (r Room) latest() (names []string, others int) {
	for _, seat := range slices.Backward(r.Seats) {
		names = append(names, seat.Name)
	}
	return someNames(names, mostJoined)
}

// revealed reports whether the counts of a poll are known.
func (p *Poll) revealed() bool { return p.Phase == "revealed" }

// size returns the class for the length of a poll's words: more words have smaller letters, and then more of the wall.
// The page's script goes on where they do not fit.
func (p *Poll) size() string {
	long := width(p.Question)
	for _, c := range p.Choices {
		long += width(c.Text) + 16 // a line of its own at least
	}
	if p.revealed() {
		long += 40 * len(p.Choices) // its bars
	}
	switch {
	case p.many():
		return "full"
	case p.revealed(), long > 380:
		return "wide"
	case long > 200:
		return "medium"
	case long > 140:
		return "large"
	}
	return "huge"
}

// width estimates a text's width in letters: a Chinese character counts as two.
func width(text string) int { return (utf8.RuneCountInString(text) + len(text)) / 2 }

// many reports whether the choices do not fit one under the other.
func (p *Poll) many() bool { return len(p.Choices) > 6 }

// says returns the phase in words.
func (p *Poll) says(l lang.Language) string {
	if p.Network {
		return views.Say(l, "screen.network."+p.Phase)
	}
	if p.Own && p.revealed() {
		return views.Say(l, "screen.own.revealed")
	}
	return views.Say(l, "screen.predict."+p.Phase)
}

// A tally is a bar of a choice: its votes in a round, relative to the longest bar.
type tally struct {
	Round string // its name; empty: the poll had one round
	Class string
	Votes int
	Share string // of the bar's length, in hundredths
}

// tallies returns the bars of a choice, one for each round.
func (p *Poll) tallies(l lang.Language, c PollChoice) []tally {
	most, second := 1, 0
	for _, other := range p.Choices {
		most = max(most, other.First, other.Second)
		second += other.Second
	}
	bar := func(round, class string, votes int) tally {
		return tally{round, class, votes, fmt.Sprintf("%.1f", 100*float64(votes)/float64(most))}
	}
	if second == 0 {
		return []tally{bar("", "last", c.First)}
	}
	return []tally{bar(views.Say(l, "screen.round.first"), "first", c.First), bar(views.Say(l, "screen.round.second"), "last", c.Second)}
}

// cast returns the turnout in hundredths.
func (p *Poll) cast() string { return share(p.Cast, p.Of) }

// share returns a part of a whole in hundredths.
func share(part, whole int) string {
	return fmt.Sprintf("%.1f", 100*float64(part)/float64(max(1, whole)))
}

// present returns how many people are here.
func present(r Room) string { return views.Say(r.Lang, "screen.here", r.Present) }

// driver names the driver, who is not the presenter.
func driver(r Room) string { return views.Say(r.Lang, "screen.driver", r.Driver) }

func countVotes(l lang.Language, n int) string {
	if n == 1 {
		return views.Say(l, "screen.vote")
	}
	return views.Say(l, "screen.votes", n)
}

func countActions(l lang.Language, n int) string {
	if n == 1 {
		return views.Say(l, "screen.action")
	}
	return views.Say(l, "screen.actions", n)
}

// projected returns the site with the projector's settings instead of the reader's own.
func projected(site views.Site, r Room) views.Site {
	site.Settings.Mode, site.Settings.Scale = "projector", "1"
	return site.Called(views.Say(site.Lang, "face.screen"), r.Says, r.Name)
}
