package views

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/engine/lang"
)

// ScreenPanels are the parts of the projector that the server renders anew when the
// run changes: none, as the projector has the events, and says itself what they
// come to where its driver looks.
func ScreenPanels(Page) []Panel { return nil }

// address is that of the site, as people read it out: its first page asks for the code.
func (r Room) address() string { return place(strings.TrimSuffix(r.JoinURL, r.Path)) }

// place is an address without what a browser does not need.
func place(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	return rest
}

// busy reports a room that is at something besides its run.
func (r Room) busy() bool { return r.Poll != nil || r.Exercise != nil }

// crowd is how large the letters of a team's names can be, as there are so many lanes.
func (r Room) crowd() string {
	if len(r.Lanes) > 6 {
		return "many"
	}
	return "few"
}

// mostNames are how many of a team there is room to name: where there are many lanes, the others
// are counted.
func (r Room) mostNames() int {
	if len(r.Lanes) > 6 {
		return 1
	}
	return mostNames
}

// Of a longer list of names so many are shown.
const (
	mostNames   = 3
	mostJoined  = 24
	mostRanking = 10
)

// someNames are the first of the names, and how many others there are.
func someNames(names []string, most int) (shown []string, others int) {
	if len(names) <= most {
		return names, 0
	}
	return names[:most], len(names) - most
}

// latest are the names of those who joined last, the last one first, and how many
// others there are: whoever joins looks for their own.
func (r Room) latest() (names []string, others int) {
	for _, seat := range slices.Backward(r.Seats) {
		names = append(names, seat.Name)
	}
	return someNames(names, mostJoined)
}

// letter names a choice: A, B, C …
func letter(choice int) string {
	if choice < 26 {
		return string(rune('A' + choice))
	}
	return strconv.Itoa(choice + 1)
}

// revealed reports a poll whose counts are known.
func (p *Poll) revealed() bool { return p.Phase == "revealed" }

// size says how much room the words of a poll take: the more, the smaller its letters. The
// script of the page makes them smaller still where that is not enough.
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
		return "tiny"
	case long <= 200:
		return "large"
	case long <= 380:
		return "medium"
	}
	return "small"
}

// width is about how many letters wide a text is: a Chinese character is as wide as two.
func width(text string) int { return (utf8.RuneCountInString(text) + len(text)) / 2 }

// many reports more choices than can stand one under the other.
func (p *Poll) many() bool { return len(p.Choices) > 6 }

// says is the phase in words.
func (p *Poll) says(l lang.Language) string {
	if p.Network {
		return Say(l, "screen.network."+p.Phase)
	}
	return Say(l, "screen.predict."+p.Phase)
}

// A tally is a bar of a choice: its votes in a round, of the most that one has.
type tally struct {
	Round string // its name; empty: there was but one
	Class string
	Votes int
	Share string // of the bar's length, in hundredths
}

// tallies are the bars of a choice: of both rounds, if there were two.
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
	return []tally{bar(Say(l, "screen.round.first"), "first", c.First), bar(Say(l, "screen.round.second"), "last", c.Second)}
}

// cast is how much of those who may vote has, in hundredths.
func (p *Poll) cast() string {
	return fmt.Sprintf("%.1f", 100*float64(p.Cast)/float64(max(1, p.Of)))
}

// present is how many people are here.
func present(r Room) string { return Say(r.Lang, "screen.here", r.Present) }

// driver is who drives.
func driver(r Room) string {
	if r.Driver == "" {
		return Say(r.Lang, "screen.driver.nobody")
	}
	return Say(r.Lang, "screen.driver", r.Driver)
}

func countVotes(l lang.Language, n int) string {
	if n == 1 {
		return Say(l, "screen.vote")
	}
	return Say(l, "screen.votes", n)
}

func countActions(l lang.Language, n int) string {
	if n == 1 {
		return Say(l, "screen.action")
	}
	return Say(l, "screen.actions", n)
}

// projected is the site as a projector shows it, whatever its reader has chosen elsewhere.
func projected(site Site, r Room) Site {
	site.Settings.Mode, site.Settings.Scale = "projector", "1"
	site.Window = r.Says + " · " + r.Name
	return site
}
