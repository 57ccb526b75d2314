package room

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	runview "lockstep/views/run"
)

// PhonePanels returns the parts of a phone that change with the run, for the people in a
// lane; an empty lane means the people without one.
func PhonePanels(p runview.Page, lane string) []runview.Panel {
	return []runview.Panel{
		{ID: "caption", Content: phoneCaption(p)},
		{ID: "alerts", Content: runview.Alerts(p)},
		{ID: "world", Content: PhoneWorld(p)},
		{ID: "lane", Content: Lane(p, lane, false)},
	}
}

// RemotePanels returns the parts of a remote that change with the run.
func RemotePanels(p runview.Page) []runview.Panel {
	return []runview.Panel{
		{ID: "caption", Content: runview.Caption(p)},
		{ID: "alerts", Content: runview.Alerts(p)},
		{ID: "breaks", Content: Breaks(p)},
		{ID: "notes", Content: RemoteNotes(p)},
	}
}

// called returns the site for a room's page, whose window says what it is for and the room's name.
func (r Room) called(page string) views.Site { return r.Site.Called(page, r.Name) }

// remotePath returns the path of the presenter's remote.
func (r Room) remotePath() string { return r.Path + "/remote" }

// joinsAtOnce reports whether opening the page takes a seat: the page has no field and nothing to tell first.
func (r Room) joinsAtOnce() bool {
	return !r.Free && !r.Roster && !r.Locked && r.Refusal == "" && r.Lost == ""
}

// refusalBeside returns the refusal, unless the page of a locked room says the same.
func (r Room) refusalBeside() string {
	if r.Locked && r.Refusal == views.Say(r.Lang, "room.locked") {
		return ""
	}
	return r.Refusal
}

// mayVote reports whether the poll asks the reader: only people without a client vote as the network.
func (r Room) mayVote() bool { return !r.Poll.Network || r.Lane == "" }

// phase returns the phase of the poll as its key names it.
func (p Poll) phase() string {
	if p.Network {
		return "network-" + p.Phase
	}
	return p.Phase
}

// outcome says which answer came true.
func (p Poll) outcome(l lang.Language) string {
	for i, c := range p.Choices {
		if c.Right {
			return views.Say(l, "phone.poll."+p.phase(), courseview.Letter(i), c.Text)
		}
	}
	if p.Own {
		return views.Say(l, "screen.own.revealed")
	}
	return views.Say(l, "phone.poll.none")
}

// missed reports whether a choice is known to be wrong. A question of the presenter's own may have no right answer.
func (p Poll) missed(c PollChoice) bool {
	unanswered := p.Own && !slices.ContainsFunc(p.Choices, func(c PollChoice) bool { return c.Right })
	return !p.Network && !c.Unsure && !c.Right && !unanswered
}

// came returns the key of the word beside the answer that came true.
func (p Poll) came() string {
	if p.Network {
		return "phone.poll.arrived"
	}
	return "phone.poll.right"
}

// mine returns the key of the words beside the reader's own choice.
func (p Poll) mine(c PollChoice) string {
	switch {
	case p.missed(c):
		return "phone.poll.mine-wrong"
	case c.Right && !p.Network:
		return "phone.poll.mine-right"
	}
	return "phone.poll.mine"
}

// twice reports whether the poll had a second round.
func (p Poll) twice() bool {
	return slices.ContainsFunc(p.Choices, func(c PollChoice) bool { return c.Second > 0 })
}

// most returns the votes of the longest bar.
func (p Poll) most() int {
	most := 1
	for _, c := range p.Choices {
		most = max(most, c.First, c.Second)
	}
	return most
}

// bar returns the length of a bar in hundredths.
func (p Poll) bar(votes int) string { return strconv.Itoa(votes * 100 / p.most()) }

// presses returns the look of a lane's button. The first button is the usual action; a
// crash stands apart.
func presses(b runview.Button, i int) string {
	switch {
	case strings.HasPrefix(b.Action, "crash "):
		return "apart"
	case i == 0:
		return "primary"
	}
	return ""
}

// forward returns the presenter's next position: one action later, or -1, the end, when that is the last.
func (r Room) forward(p runview.Page) string {
	if r.Data.At+1 < p.Tip {
		return strconv.Itoa(r.Data.At + 1)
	}
	return "-1"
}

// at returns the driver's position.
func (r Room) at(p runview.Page) int {
	if r.Data.At < 0 {
		return p.Tip
	}
	return min(r.Data.At, p.Tip)
}

// NextBreak returns the first position after at, or -1.
func NextBreak(breaks []int, at int) int {
	i := slices.IndexFunc(breaks, func(b int) bool { return b > at })
	if i < 0 {
		return -1
	}
	return breaks[i]
}

// joined writes a list of positions as an attribute.
func joined(positions []int) string {
	texts := make([]string, len(positions))
	for i, at := range positions {
		texts[i] = strconv.Itoa(at)
	}
	return strings.Join(texts, " ")
}

// nameMost and rosterMost bound the letters of a chosen name, and of the name for the presenter's roster.
const (
	nameMost   = "24"
	rosterMost = "60"
)

// listed joins names for a sentence.
func listed(l lang.Language, names []string) string {
	if l == lang.Chinese {
		return strings.Join(names, "、")
	}
	return strings.Join(names, ", ")
}

// otherwise returns the next setting of a switch.
func otherwise(on bool) string {
	if on {
		return ""
	}
	return "on"
}
