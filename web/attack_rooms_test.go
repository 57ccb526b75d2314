package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/room"
)

// Others read a name, so it is short, visible and on one line. Nobody can pass for another by it, nor for a seat with
// a given name.
func TestMisleadingNamesAreRefused(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Entries: 1000}})
	c.teacher.does(c.room, "switch", "free", "on", "roster", "on").wants(t, http.StatusSeeOther)
	c.bob.does(c.room, "name", "text", "Lin Yue").wants(t, http.StatusSeeOther)
	v := c.ann.watches(c.run, "phone")
	refused := func(why room.Refusal, names ...string) {
		for _, name := range names {
			if a := v.ask(asks("name", "text", name)); a.Text != views.Say(lang.English, why.Error()) {
				t.Errorf("the name %q is answered with %s %q", name, a.Type, a.Text)
			}
		}
	}
	refused(room.ErrName,
		strings.Repeat("x", 25), strings.Repeat("安", 25), strings.Repeat("x", 5000), " ", "\t\n", "\u3000", "\u00a0", "\u2800", "\u3164", "\ufe0f",
		"\u202eeuY niL", "a\u202ab", "a\u2066b", "a\u200eb", "a\u061cb", "a\u200bb", "a\u200db", "a\u00adb", "a\u2060b", "\ufeffa", "a\u0000b", "a\u001bb", "a\u0085\u0007b", "\ufffd", "\U000e0041", "\u0301",
		"Z\u0337\u0322\u0330\u0347\u0353algo",
	)
	refused(room.ErrNameTaken,
		"Lin Yue", "lin yue", "LIN  YUE", "Ｌｉｎ Ｙｕｅ", "Lіn Yuе", "Quiet Otter", "quiet otter", "QuietOtter", "Quiet-Otter", "Quiet Otter!", "Quiét Otter", "Quіet Оtter", "ＱＵＩＥＴ ＯＴＴＥＲ",
		"安静的水獭", "安静的 水獭", "安静的·水獭", "Quiet 水獭", "Quiet 0tter", "Quiet ꓳtter", "QUIET ⵔTTER", "Calrn Koi", "Ca|m Koi", "Mоdest Panda", "ᎷODEST PANDA",
	)
	// Letters of any script that look like another's: of Cherokee, Lisu, Deseret, Coptic, Armenian, Gothic, and capitals like
	// small ones.
	for _, theirs := range []struct {
		name  string
		alike []string
	}{
		{"Anna", []string{"anna", "ANNA", "Ꭺnna", "ᎪNNA", "ꓮnna", "ꓮꓠꓠꓮ", "Аnna", "Αnna", "𐊠nna", "Annа", "Anոa"}},
		{"Ian", []string{"ian", "IAN", "lan", "1an", "|an", "Іan", "ІAN", "Ιan", "ӏan", "ꓲan", "Ⲓan", "ıan", "ⵏan", "ߊan", "Ιаn"}},
		{"Tom 10", []string{"Tom lO", "Torn 10", "Tom I0", "Тom 10", "Ꭲom 10", "ꓔom 10", "Tοm 1o", "Tom l٥"}},
		{"工口", []string{"エロ", "エ口"}},
		{"ПЕТР", []string{"петр", "ПEТP"}},
	} {
		c.bob.does(c.room, "name", "text", theirs.name).wants(t, http.StatusSeeOther)
		refused(room.ErrNameTaken, append(theirs.alike, theirs.name)...)
	}
	v = c.joins(c.room).watches(c.run, "phone") // a seat has a number of names
	// Others do not look alike.
	for _, name := range []string{"Lan", "Ana", "Ánna", "Jan", "Tom 11", "工日", "Петра", "Ottо"} {
		if a := v.ask(asks("name", "text", name)); a.Type != "done" {
			t.Errorf("the name %q is answered with %q", name, a.Text)
		}
	}
	v = c.joins(c.room).watches(c.run, "phone")
	for _, name := range []string{strings.Repeat("x", 24), "Zoë", "林悦", "أحمد", "Đặng Thị Hằng", "שָׁלוֹם", "สมชาย", "O'Neil-Smith", "Ann 2", "安静", "🙂"} {
		if a := v.ask(asks("name", "text", name)); a.Type != "done" {
			t.Errorf("the name %q is answered with %q", name, a.Text)
		}
	}
	if a := v.ask(asks("name", "text", "Ann", "roster", strings.Repeat("x", 61))); a.Text != views.Say(lang.English, "room.roster") {
		t.Errorf("61 letters for the roster are answered with %q", a.Text)
	}
	// An accepted name is text on every page.
	v.ask(asks("name", "text", "<b>Ann</b>\"'&"))
	for _, path := range []string{c.room + "/screen", c.room, c.run} {
		c.get(path).lacks(t, "<b>Ann")
	}
	// A Chinese reader gets the refusal in Chinese.
	a := c.ann.send("POST", c.room+"/do?lang=zh", fields("verb", "name", "text", "\u202ex"))
	a.wants(t, http.StatusUnprocessableEntity, views.Say(lang.Chinese, "room.name"))
}

// refusesInBoth posts a form and wants it refused in both languages.
func (c *classroom) refusesInBoth(p *person, path string, f url.Values, why error) {
	c.Helper()
	for _, l := range everyLanguage {
		a := p.send("POST", path+"?lang="+string(l), f)
		a.wants(c.T, http.StatusUnprocessableEntity, written(l, why.Error()))
	}
}

// The presenter deals a bounded number of lanes, and can ask only for what exists.
func TestThePresenterHasBounds(t *testing.T) {
	c := newClass(t, Options{})
	for _, refused := range []struct {
		form url.Values
		why  error
	}{
		{fields("verb", "lanes", "size", "-1"), room.ErrLanes},
		{fields("verb", "lanes", "size", "many"), room.ErrLanes},
		{fields("verb", "lanes", "size", "1001"), room.ErrLanes},
		{fields("verb", "lanes", "size", "99999999999999999999"), room.ErrLanes},
		{fields("verb", "place", "seat", "4", "lane", "C1"), room.ErrNoSeat},
		{fields("verb", "place", "seat", "1", "lane", strings.Repeat("C", 1000)), room.ErrNoLane},
		{fields("verb", "drive", "seat", "4"), room.ErrNoSeat},
		{fields("verb", "drive", "seat", "-1"), room.ErrNoSeat},
		{fields("verb", "drive", "seat", "1e9"), room.ErrNoSeat},
		{fields("verb", "cursor", "at", "-2"), room.ErrMalformed},
		{fields("verb", "cursor", "at", "1000001"), room.ErrMalformed},
		{fields("verb", "ask", "kind", "predict", "client", "C9"), class.ErrNothingAsked},
		{fields("verb", "ask", "kind", "predict"), class.ErrNothingAsked},
		{fields("verb", "round"), room.ErrNoPoll},
		{fields("verb", "reveal"), room.ErrNoPoll},
		{fields("verb", "challenge", "task", "redis-lock/race/nothing"), class.ErrNoTask},
		{fields("verb", "show", "seat", "1"), room.ErrNoSandbox},
		{fields("verb", "home"), room.ErrNoExercise},
	} {
		c.refusesInBoth(c.teacher, c.room+"/do", refused.form, refused.why)
	}
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "shout"), live.ErrMalformed)
	if !class.Ask(c.hub, (*room.Room).HasLanes) {
		t.Error("an invalid size has ended the lanes")
	}
}
