package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/web/room"
)

// The people who ask with a verb.
const (
	aPresenter = "the presenter"
	atDesk     = "the presenter, on the page of the run alone"
	aSeat      = "a seat"
	nobodyAsks = "nobody: the server appends it"
)

// A verbForm has forms of a verb by their fields, as a class of newClass could send them.
type verbForm struct {
	by    string
	forms [][]string // at any time
	asked [][]string // while a question is open
	alone [][]string // in an exercise
}

// bare is a form without fields.
var bare = [][]string{{}}

// verbForms has every verb. The attacks send the presenter's as somebody else, and the remote has those that are not the desk's.
var verbForms = map[room.Verb]verbForm{
	room.VerbOpen:   {by: nobodyAsks},
	room.VerbPair:   {by: nobodyAsks},
	room.VerbRevoke: {by: atDesk, forms: bare},
	room.VerbJoin:   {by: nobodyAsks},
	room.VerbRemove: {by: atDesk, forms: [][]string{{"seat", "1"}, {"seat", "1 2 3"}}},
	room.VerbLock:   {by: aPresenter, forms: [][]string{{"on", "on"}}},
	room.VerbName:   {by: aSeat},
	room.VerbSwitch: {by: atDesk, forms: [][]string{{"free", "on", "roster", "on"}}},
	room.VerbEnd:    {by: aPresenter, forms: bare},

	room.VerbShow:   {by: atDesk, alone: [][]string{{"seat", "1"}}},
	room.VerbDrive:  {by: aPresenter, forms: [][]string{{"seat", "1"}, {"seat", "3"}}},
	room.VerbCursor: {by: aPresenter, forms: [][]string{{"at", "0"}}},
	room.VerbGather: {by: aPresenter, forms: bare},
	room.VerbBlack:  {by: aPresenter, forms: [][]string{{"on", "on"}}},

	room.VerbLanes: {by: aPresenter, forms: [][]string{{"size", "0"}, {"size", "2"}}},
	room.VerbPlace: {by: atDesk, forms: [][]string{{"seat", "1", "lane", "C2"}, {"seat", "3", "lane", "C1"}, {"seat", "2", "lane", ""}}},

	room.VerbAsk:    {by: aPresenter, forms: [][]string{{"kind", "predict", "client", "C1"}, {"kind", "network"}}},
	room.VerbVote:   {by: aSeat},
	room.VerbRound:  {by: aPresenter, asked: bare},
	room.VerbReveal: {by: aPresenter, asked: bare},
	room.VerbDrop:   {by: aPresenter, asked: bare},

	room.VerbFork:      {by: aPresenter, forms: bare},
	room.VerbChallenge: {by: aPresenter, forms: [][]string{{"task", "redis-lock/race/break"}}},
	room.VerbOwn:       {by: aSeat},
	room.VerbMark:      {by: nobodyAsks},
	room.VerbClaim:     {by: nobodyAsks},
	room.VerbHome:      {by: aPresenter, alone: bare},

	room.VerbTimer: {by: aPresenter, forms: [][]string{{"on", "on"}, {}}, asked: [][]string{{"on", "on"}}},

	room.VerbTest: {by: aPresenter, forms: [][]string{{"form", "before", "course", "redis-lock"}}},
	room.VerbHand: {by: aSeat},

	room.VerbPlan: {by: atDesk, forms: [][]string{{"do", "course", "course", "redis-lock"}}},
	room.VerbNext: {by: aPresenter, forms: [][]string{{"item", "1"}}},
}

// leading returns the forms with which only the presenter, or the driver, leads the room.
func leading(pick func(verbForm) [][]string) (messages []message) {
	for _, verb := range room.Verbs() {
		if f := verbForms[verb]; f.by == aPresenter || f.by == atDesk {
			for _, fields := range pick(f) {
				messages = append(messages, asks(string(verb), fields...))
			}
		}
	}
	return messages
}

func atAnyTime(f verbForm) [][]string  { return f.forms }
func whileAsked(f verbForm) [][]string { return f.asked }
func whileAlone(f verbForm) [][]string { return f.alone }

// Each verb is the presenter's, a seat's or nobody's to ask, and each of the presenter's has a form with which others try it.
func TestEachVerbHasItsForms(t *testing.T) {
	for _, verb := range room.Verbs() {
		f, ok := verbForms[verb]
		if leads := slices.Contains([]string{aPresenter, atDesk}, f.by); !ok || leads && len(f.forms)+len(f.asked)+len(f.alone) == 0 {
			t.Errorf("verbForms has no form of %q, or does not say whose it is", verb)
		}
	}
}

// A page has a control for those who may use its verb. Its script keeps that so, as a panel is the same for everybody of a role.
func TestAControlIsForThoseWhoMayUseIt(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	for _, p := range []struct {
		somebody
		votes bool
	}{{somebody{"a seat", c.ann}, true}, {somebody{"a spectator", c.person()}, false}} {
		form := regexp.MustCompile(`<form[^>]* id="vote-form"[^>]*>`).FindString(p.send("GET", c.run, nil).body)
		if !strings.Contains(form, `data-verb="vote"`) || strings.HasSuffix(form, " hidden>") == p.votes {
			t.Errorf("%s votes with %s", p.name, form)
		}
	}
}
