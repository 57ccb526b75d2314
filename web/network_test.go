package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"lockstep/web/class"
	"lockstep/web/room"
)

// becomes waits until the run of the class has done these actions.
func (c *classroom) becomes(want string) {
	c.Helper()
	until(c.T, "the run has done "+want, func() bool { _, actions := c.shown(); return actions == want })
}

// isRevealed reports whether the votes of the open poll are shown.
func (c *classroom) isRevealed() bool {
	return class.Ask(c.hub, func(r *room.Room) room.Phase { return r.Poll().Phase() }) == room.Revealed
}

const twoNaive = "spawn C1 naive; spawn C2 naive"

// A vote of the network takes one press: most of the network agree, and the message is delivered. Cat alone is the network.
func TestTheNetworkDeliversByItself(t *testing.T) {
	c := newClass(t, Options{VoteTime: time.Hour})
	viewer := c.cat.watches(c.run, "phone")
	viewer.want("hello")
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
	body := c.teacher.send("GET", c.run+"?lang=en", nil).body
	if !strings.Contains(body, "The vote ends after 3600 s") {
		t.Error("the presenter does not see how long the vote takes")
	}
	c.cat.does(c.room, "vote", "choice", "1").wants(t, http.StatusSeeOther)
	c.becomes(twoNaive + "; step C2")
	until(t, "the vote is revealed", c.isRevealed)
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther) // the next message takes one press, too
}

// A vote in which nobody is of one mind ends when its time is over, and delivers the message that leads.
func TestTheNetworkHasATime(t *testing.T) {
	c := newClass(t, Options{VoteTime: 300 * time.Millisecond})
	for _, who := range []*person{c.cat, c.joins(c.room)} {
		who.watches(c.run, "phone").want("hello")
	}
	for voted := false; !voted; { // on a busy machine the time may be over before the vote
		c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
		if voted = c.cat.does(c.room, "vote", "choice", "0").StatusCode == http.StatusSeeOther; !voted {
			until(t, "the vote is over", c.isRevealed)
		}
	}
	c.becomes(twoNaive + "; step C1")
}

// Nobody votes: the time ends the vote, and nothing is delivered.
func TestANetworkThatSleepsDeliversNothing(t *testing.T) {
	c := newClass(t, Options{VoteTime: 100 * time.Millisecond})
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
	until(t, "the vote ends", c.isRevealed)
	if _, actions := c.shown(); actions != twoNaive {
		t.Errorf("the run has done %s", actions)
	}
}

// Clients go on while the network votes. The message that leads still arrives, unless its own client has acted.
func TestTheNetworkDeliversBesideClientsThatGoOn(t *testing.T) {
	c := newClass(t, Options{VoteTime: time.Hour})
	c.cat.watches(c.run, "phone").want("hello")
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
	c.bob.send("POST", c.run+"/actions", map[string][]string{"action": {"step C2"}}).wants(t, http.StatusSeeOther)
	c.cat.does(c.room, "vote", "choice", "0").wants(t, http.StatusSeeOther)
	c.becomes(twoNaive + "; step C2; step C1")
}

// A press that comes again, because its answer was lost with the connection, delivers no second message.
func TestAPressThatComesAgainDeliversOnce(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.send("POST", c.run+"/actions", map[string][]string{"action": {"crash C2"}}).wants(t, http.StatusSeeOther)
	_, before := c.shown()
	press := `{"type":"room","id":"p-1","with":{"verb":"ask","kind":"network"}}`
	for range 2 {
		v := c.teacher.watches(c.run, "remote")
		v.want("hello")
		v.say(press)
		v.until("the answer", func(m told) bool { return m.Type == "done" })
	}
	if _, after := c.shown(); after != before+"; step C1" {
		t.Errorf("the run has done %s, and then %s", before, after)
	}
}

// One message is no choice: it is delivered at once, and nobody has to vote.
func TestOneMessageIsDeliveredAtOnce(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.send("POST", c.run+"/actions", map[string][]string{"action": {"crash C2"}}).wants(t, http.StatusSeeOther)
	_, before := c.shown()
	for _, who := range c.others() {
		if a := who.does(c.room, "ask", "kind", "network"); a.StatusCode == http.StatusSeeOther {
			t.Errorf("%s delivers a message", who.name)
		}
	}
	if _, actions := c.shown(); actions != before {
		t.Fatalf("others have done %s", actions)
	}
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
	if _, actions := c.shown(); actions == before || class.Ask(c.hub, (*room.Room).Poll) != nil {
		t.Errorf("the run has done %s, and a poll is open: %t", actions, class.Ask(c.hub, (*room.Room).Poll) != nil)
	}
}

// A phone that is a client never reads that it is the network, and one that is the network does.
func TestOnlyTheNetworkReadsThatItIsIt(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "ask", "kind", "network").wants(t, http.StatusSeeOther)
	shown := func(who *person) bool {
		body := who.send("GET", c.room+"?lang=en", nil).body
		at := strings.Index(body, "You are the network: vote.")
		if at < 0 {
			t.Fatal("the page has no such words")
		}
		tag := body[strings.LastIndex(body[:at], "<"):at]
		return !strings.Contains(tag, "hidden")
	}
	if shown(c.ann) || !shown(c.cat) {
		t.Errorf("a client reads it: %t; the network reads it: %t", shown(c.ann), shown(c.cat))
	}
}
