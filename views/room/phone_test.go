package room

import (
	"context"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

func rendered(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func aRoom(l lang.Language) Room {
	return Room{
		Site: views.Site{Lang: l, Here: "/r/482913"}, Code: "482913", Says: "482 913", Name: "Patient Kingfisher", Path: "/r/482913", Run: "/t/aaaaaaaaaa",
		Poll: &Poll{Phase: "second", Question: "What will Redis answer?", Open: true, Cast: 23, Of: 38, Choices: []PollChoice{{Text: "1"}, {Text: "0"}}},
	}
}

// Opening the code joins the room at once when the page asks for nothing. A page with a field, a
// refusal, or the presenter as its reader waits for a press.
func TestOpeningTheCodeJoinsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		room Room
		want bool
	}{
		"nothing to fill in": {aRoom(lang.English), true},
		"names":              {func() Room { r := aRoom(lang.English); r.Free = true; return r }(), false},
		"the roster":         {func() Room { r := aRoom(lang.English); r.Roster = true; return r }(), false},
		"refused":            {func() Room { r := aRoom(lang.English); r.Refusal = "Every seat is taken."; return r }(), false},
		"the presenter":      {func() Room { r := aRoom(lang.English); r.Presenter = true; return r }(), false},
		"over":               {func() Room { r := aRoom(lang.English); r.Over = "/t/bbbbbbbbbb"; return r }(), false},
	} {
		if got := strings.Contains(rendered(t, JoinPage(c.room)), "data-at-once"); got != c.want {
			t.Errorf("%s: joins at once: %t", name, got)
		}
	}
}

// Each phase of a poll has its sentence, in both languages.
func TestEachPhaseOfAPollHasItsSentence(t *testing.T) {
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		for _, phase := range []string{"first", "discuss", "second", "closed", "revealed"} {
			for _, network := range []bool{false, true} {
				if network && (phase == "discuss" || phase == "second") {
					continue // the network votes once
				}
				r := aRoom(l)
				r.Poll.Phase, r.Poll.Network, r.Poll.Open = phase, network, phase == "first" || phase == "second"
				page := rendered(t, PhoneRoom(r))
				if strings.Contains(page, "phone.poll") {
					t.Errorf("%s: a sentence is missing: %s", phase, page)
				}
				if bars := strings.Contains(page, `class="bar"`); bars != (phase == "revealed") {
					t.Errorf("%s: the counts are there: %t", phase, bars)
				}
				if off := strings.Count(page, `aria-disabled="true"`); phase != "revealed" && (off == 0) != r.Poll.Open {
					t.Errorf("%s: %d choices cannot be pressed", phase, off)
				}
			}
		}
	}
}

// Bars are as long as their votes; the longest fills its row.
func TestBarsAreAsLongAsTheirVotes(t *testing.T) {
	p := Poll{Choices: []PollChoice{{First: 5, Second: 20}, {First: 15}}}
	if got := p.bar(20) + " " + p.bar(5) + " " + p.bar(0); got != "100 25 0" || !p.twice() {
		t.Errorf("the bars are %s long", got)
	}
	if none := (Poll{Choices: []PollChoice{{}, {}}}); none.bar(0) != "0" || none.twice() {
		t.Error("nobody has voted, and there is a bar")
	}
}

// Without a script the remote's buttons lead to the promised position, from each position of the driver.
func TestRemoteLeadsToThePromisedPosition(t *testing.T) {
	for _, c := range []struct {
		at, tip             int
		forward, breakAfter string
		atEnd               bool
	}{
		{-1, 16, "", "-1", true},
		{16, 16, "", "-1", true},
		{15, 16, "-1", "-1", false},
		{9, 16, "10", "13", false},
	} {
		r := aRoom(lang.English)
		r.Data.At = c.at
		p := runview.Page{Site: r.Site, Path: r.Run, Tip: c.tip, Breaks: []int{9, 13}}
		page := rendered(t, RemotePage(r, p))
		if schedules := strings.Contains(page, `value="schedule"`); schedules != c.atEnd {
			t.Errorf("at %d of %d Step lets the scheduler choose: %t", c.at, c.tip, schedules)
		}
		if !c.atEnd && r.forward(p) != c.forward {
			t.Errorf("at %d of %d Step leads to %s", c.at, c.tip, r.forward(p))
		}
		if !strings.Contains(page, `id="violation" type="submit" name="at" value="`+c.breakAfter+`"`) {
			t.Errorf("at %d of %d the next violation is not %s: %s", c.at, c.tip, c.breakAfter, page)
		}
	}
}
