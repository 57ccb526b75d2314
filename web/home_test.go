package web

import (
	"net/http"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
)

// "Join a room" is a plain form at the top of the home page, so a phone needs no script to get in. The form that
// starts a room is plain too.
func TestHomeLeadsToRooms(t *testing.T) {
	s := newSite(t, Options{BasePath: "/tools/lockstep"})
	for language, words := range map[string][2]string{"en": {"Join a room", "Start a room"}, "zh": {"加入房间", "创建房间"}} {
		s.get("/tools/lockstep/?lang="+language).wants(t, http.StatusOK,
			`<form class="top-join" method="get" action="/tools/lockstep/join"><label for="join-code">`+words[0]+`</label> <input id="join-code" name="code" inputmode="numeric" autocomplete="off"`,
			`<form method="post" action="/tools/lockstep/rooms"><button class="button" type="submit">`+words[1]+`</button></form>`)
	}
	s.get("/tools/lockstep/help").lacks(t, "/join")
}

// The live region of the home page has the sentences. The code stands outside it, as nobody listens to a program.
func TestHomeReadsSentencesAloud(t *testing.T) {
	newSite(t, Options{}).get("/?show=why").wants(t, http.StatusOK,
		`<div class="home-says"><div aria-live="polite"><div data-says="before"`,
		views.Say(lang.English, "home.getset")+`</p></div></div><div data-says="why"><ol class="source"`)
}
