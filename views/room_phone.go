package views

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
)

// PhonePanels are the parts of a phone that change with the run, for those who hold a lane;
// empty: for those who hold none.
func PhonePanels(p Page, lane string) []Panel {
	return []Panel{
		{ID: "caption", Content: Caption(p)},
		{ID: "alerts", Content: Alerts(p)},
		{ID: "world", Content: PhoneWorld(p)},
		{ID: "lane", Content: Lane(p, lane, false)},
	}
}

// RemotePanels are the parts of a remote that change with the run.
func RemotePanels(p Page) []Panel {
	return []Panel{
		{ID: "caption", Content: Caption(p)},
		{ID: "alerts", Content: Alerts(p)},
		{ID: "breaks", Content: Breaks(p)},
	}
}

// client is one of the run's by its name; nothing: nobody has spawned it.
func (p Page) client(name string) *Client {
	i := slices.IndexFunc(p.Clients, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Clients[i]
}

// stores reports a node that has any key now.
func (n Node) stores() bool {
	return slices.ContainsFunc(n.Keys, func(k Key) bool { return k.Now != nil })
}

// called is the site as a room's pages have it: the window bears the room's name.
func (r Room) called() Site {
	site := r.Site
	if site.Window == "" {
		site.Window = r.Name + " · Lockstep"
	}
	return site
}

// remotePath is where the presenter's phone is.
func (r Room) remotePath() string { return r.Path + "/remote" }

// joinsAtOnce reports whether opening the page takes a seat: there is no field to fill in, and nothing to be told first.
func (r Room) joinsAtOnce() bool {
	return !r.Free && !r.Roster && !r.Locked && r.Refusal == "" && r.Lost == ""
}

// refusalBeside is the refusal, unless the page of a locked room says the same.
func (r Room) refusalBeside() string {
	if r.Locked && r.Refusal == Say(r.Lang, "room.locked") {
		return ""
	}
	return r.Refusal
}

// mayVote reports that the poll asks the reader: the network's is for those who hold no client.
func (r Room) mayVote() bool { return !r.Poll.Network || r.Lane == "" }

// phase is how far the poll is, as its word is called.
func (p Poll) phase() string {
	if p.Network {
		return "network-" + p.Phase
	}
	return p.Phase
}

// twice reports that there was a second round.
func (p Poll) twice() bool {
	return slices.ContainsFunc(p.Choices, func(c PollChoice) bool { return c.Second > 0 })
}

// most is the longest bar of what was voted.
func (p Poll) most() int {
	most := 1
	for _, c := range p.Choices {
		most = max(most, c.First, c.Second)
	}
	return most
}

// bar is how long a bar is, of a hundred.
func (p Poll) bar(votes int) string { return strconv.Itoa(votes * 100 / p.most()) }

// presses says how a lane's button looks: the first is what one does all the time, and a
// crash stands apart.
func presses(b Button, i int) string {
	switch {
	case strings.HasPrefix(b.Action, "crash "):
		return "apart"
	case i == 0:
		return "primary"
	}
	return ""
}

// forward is where the presenter looks next: at one action more, and at the end at whatever comes there.
func (r Room) forward(p Page) string {
	if r.Data.At+1 < p.Tip {
		return strconv.Itoa(r.Data.At + 1)
	}
	return "-1"
}

// at is where the driver looks, as a position.
func (r Room) at(p Page) int {
	if r.Data.At < 0 {
		return p.Tip
	}
	return min(r.Data.At, p.Tip)
}

// NextBreak returns the first of the positions that comes after one, or -1.
func NextBreak(breaks []int, at int) int {
	i := slices.IndexFunc(breaks, func(b int) bool { return b > at })
	if i < 0 {
		return -1
	}
	return breaks[i]
}

// spoken is how politely the caption is read out, as the reader wants it.
func (s Site) spoken() string {
	if s.Settings.Speak == "off" {
		return "off"
	}
	return "polite"
}

// joined is a list of positions as an attribute has it.
func joined(positions []int) string {
	texts := make([]string, len(positions))
	for i, at := range positions {
		texts[i] = strconv.Itoa(at)
	}
	return strings.Join(texts, " ")
}

// nameMost and rosterMost are how many letters a name of one's own has, and what one tells the presenter.
const (
	nameMost   = "24"
	rosterMost = "60"
)

// listed are names in a sentence.
func listed(l lang.Language, names []string) string {
	if l == lang.Chinese {
		return strings.Join(names, "、")
	}
	return strings.Join(names, ", ")
}

// otherwise is what a switch is set to next.
func otherwise(on bool) string {
	if on {
		return ""
	}
	return "on"
}
