package course_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// A rule ends what a card says at once; the rest opens below it. A second rule
// is one of the text.
func TestACardIsCutAtItsRule(t *testing.T) {
	dir := right(t)
	text := string(dir["first.en.md"].Data)
	for _, cut := range [][2]string{
		{"C1 and C2 want the lock.\n", "C1 and C2 want the lock.\n\n***\n\nThe lead's.\n"},
		{"What does Redis reply?\n", "What does Redis reply?\n***\nThe moment's.\n\n***\n\nStill.\n"},
		{"The key is there.\n", "The key is there.\n\n***\nThe reply's.\n"},
		{"Try.\n", "Try.\n***\n- The challenge's.\n"},
		{"They cannot.\n", "They cannot.\n***\nThe solution's.\n"},
		{"There is a second lesson.\n", "There is a second lesson.\n***\nAt once.\n"},
	} {
		text = strings.Replace(text, cut[0], cut[1], 1)
	}
	dir["first.en.md"] = &fstest.MapFile{Data: []byte(text)}
	c := course.Load(dir, "right")
	if said := sentences(map[lang.Language][]string{}, append(c.Check(explore.Runtime{}), c.Warnings...)); said != "" {
		t.Fatal(said)
	}
	l := c.Lesson("first")
	late, hold := l.Moment("late"), l.Challenge("break")
	one, zero := answer(late, "one"), answer(late, "zero")
	for _, is := range []struct{ what, said, want string }{
		{"lead", l.Lead.English, "<p>C1 and C2 want the lock.</p>\n"},
		{"below the lead", l.LeadMore.English, "<p>The lead's.</p>\n"},
		{"moment", late.Text.English, "<p>What does Redis reply?</p>\n"},
		{"below the moment", late.More.English, "<p>The moment's.</p>\n<hr>\n<p>Still.</p>\n"},
		{"reply", one.After.English, "<p>The key is there.</p>\n"},
		{"below the reply", one.More.English, "<p>The reply's.</p>\n"},
		{"other reply", zero.More.English, ""},
		{"challenge", hold.Text.English, "<p>Try.</p>\n"},
		{"below the challenge", hold.More.English, "<ul>\n<li>The challenge's.</li>\n</ul>\n"},
		{"solution", hold.Solved.English, "<p>They cannot.</p>\n"},
		{"below the solution", hold.SolvedMore.English, "<p>The solution's.</p>\n"},
		{"next steps", l.On.English, "<p>There is a second lesson.</p>\n<p>At once.</p>\n"},
		{"translation", late.More.Chinese, ""},
	} {
		if is.said != is.want {
			t.Errorf("%s: %q, want %q", is.what, is.said, is.want)
		}
	}
}

// answer returns the answer with that name.
func answer(m *course.Moment, name string) *course.Answer {
	for _, a := range m.Answers {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Load keeps a card that is too long, and says where it stands. The card of each
// row is one sentence too long where long is true.
func TestALongCardIsNoted(t *testing.T) {
	for _, card := range []struct {
		text string
		long bool
	}{
		{"One. Two! Three.", false},
		{"One. Two! Three. Four.", true},
		{"One. Two. Three. And four?", false},
		{"One. Two. And three? And four?", false},
		{"One. Two. Three. Four? Five?", true},
		{"One. Two. Three: words without an end", false},
		{"One. Two. Three. Words without an end", true},
		{"One.\n\nTwo.\n\nThree.\n\nFour.", true},
		{"One.\nTwo.\nThree.\nFour.", true},
		{"One. Two. Three.\n\n***\n\nFour. Five. Six.", false},
		{"Version 2.6.12 takes 1.5 s. So it says (\"what?\"). That is 3.", false},
		{"He said \"so it is.\" She (the other one.) went. *Both. Then.*", true},
		{"`a. b! c? d.` is code. It ends. Here.", false},
		{"See <https://redis.io/a.b?c=d>. Then. Then.", false},
		{"Two. Three:\n\n- A list. It counts. As one.\n- All. Of. It.", false},
		{"One. Two. Three:\n\n- A list.\n- Of two.", true},
		{"One. Two.\n\n```\nC. O. D. E.\n```", false},
		{"One. Two.\n\n> Quoted. By. Me.", false},
		{"One. Two.\n\n|a|b|\n|-|-|\n|1. 2.|3. 4.|", false},
		{"Wait ... what!? Yes.", false},
		{"一。二！三。", false},
		{"一。二！三。四。", true},
		{"一。二！三。四？", false},
		{"一（“一。”）。二，“二。”三。", false},
		{"值是 `1.5。`，三。", false},
	} {
		dir := right(t)
		dir["first.en.md"] = &fstest.MapFile{Data: []byte(strings.Replace(string(dir["first.en.md"].Data), "What does Redis reply?\n", card.text+"\n", 1))}
		c := course.Load(dir, "right")
		if len(c.Mistakes) > 0 || c.Lesson("first") == nil {
			t.Fatalf("%q: %v", card.text, c.Mistakes)
		}
		if slices.ContainsFunc(c.Warnings, ofSentences) != card.long {
			t.Errorf("%q: %v", card.text, c.Warnings)
		}
	}
}

// ofSentences reports whether a warning is about the sentences of a card.
func ofSentences(w course.Mistake) bool {
	return strings.Contains(w.Error(), "sentences")
}

// A room asks the last question of a card, in plain words; without one, there is none.
func TestACardAsksItsLastQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"It *is* there. What does `GET a?` reply, and\nwhen? Think.": "What does GET a? reply, and when?",
		"Who? And why?":                 "And why?",
		"First: is 1 < 2 & `<b>`?":      "First: is 1 < 2 & <b>?",
		"It waits.":                     "",
		"It waits.\n\n***\n\nFor what?": "",
		"Is it?\n\n> Or not?":           "Is it?",
		"键在。“谁” 写的？":                    "“谁” 写的？",
	} {
		dir := right(t)
		dir["first.en.md"] = &fstest.MapFile{Data: []byte(strings.Replace(string(dir["first.en.md"].Data), "What does Redis reply?\n", text+"\n", 1))}
		if asks := course.Load(dir, "right").Lesson("first").Moment("late").Asks.English; asks != want {
			t.Errorf("%q asks %q, want %q", text, asks, want)
		}
	}
}

// The sentence about a long card names the file and the line: the heading's, or
// the first one below the front matter.
func TestALongCardHasAPlace(t *testing.T) {
	dir := right(t)
	for file, cut := range map[string][2]string{
		"first.en.md":  {"C1 and C2 want the lock.", "C1. C2. Both. All."},
		"second.en.md": {"To look and to take are two moments.", "Look. Take. Two. Moments. Now?"},
	} {
		text := strings.Replace(string(dir[file].Data), cut[0], cut[1], 1)
		dir[file] = &fstest.MapFile{Data: []byte(text)}
	}
	said := sentences(map[lang.Language][]string{}, course.Load(dir, "right").Warnings)
	want := `first.en.md:42: warning: this card has 4 sentences; it holds 3 and a question: move the rest below a line ***
second.en.md:46: warning: this card has 5 sentences; it holds 3 and a question: move the rest below a line ***
first.en.md:42: 警告：这张卡片有 4 句话，至多 3 句加一个问句：请把其余内容移到单独一行 *** 之下
second.en.md:46: 警告：这张卡片有 5 句话，至多 3 句加一个问句：请把其余内容移到单独一行 *** 之下
`
	if said != want {
		t.Errorf("found\n%swant\n%s", said, want)
	}
}

// Every card of the built-in course is short, in both languages: four lines beside a picture hold it. An answer fits a
// third of the card's width, and its reason is one sentence.
func TestBuiltinSpeaksInCards(t *testing.T) {
	c := course.Builtin()
	for _, w := range c.Warnings {
		if strings.Contains(w.Error(), "this card has") {
			t.Error(w)
		}
	}
	seen := regexp.MustCompile(`<[^>]*>`)
	short := func(what string, said lang.Text, english, chinese int) {
		for in, most := range map[lang.Language]int{lang.English: english, lang.Chinese: chinese} {
			if !said.Has(in) {
				continue // it falls back
			}
			if n := utf8.RuneCountInString(html.UnescapeString(seen.ReplaceAllString(said.In(in), ""))); n > most {
				t.Errorf("%s has %d characters in %s, more than %d", what, n, in, most)
			}
		}
	}
	answers := func(what string, a *course.Answer) {
		short(what, a.Text, 60, 24)
		for _, in := range lang.All {
			if n := course.Sentences(seen.ReplaceAllString(a.After.In(in), "")); n != 1 {
				t.Errorf("%s gives a reason of %d sentences in %s", what, n, in)
			}
		}
	}
	for _, l := range c.All() {
		short(l.Name, l.Lead, 300, 110)
		for _, ch := range l.Challenges {
			short(l.Name+"/"+ch.Name, ch.Text, 300, 110)
			short(l.Name+"/"+ch.Name+", solved", ch.Solved, 300, 110)
			if ch.Fix == nil && len(ch.Reasons) != 4 {
				t.Errorf("%s/%s has %d reasons: their number tells whether it can be broken", l.Name, ch.Name, len(ch.Reasons))
			}
			for _, a := range ch.Reasons {
				if a.After == (lang.Text{}) { // another challenge has lent it
					short(l.Name+"/"+ch.Name+"/"+a.Name, a.Text, 60, 24)
					continue
				}
				answers(l.Name+"/"+ch.Name+"/"+a.Name, a)
			}
		}
		for _, m := range l.Moments {
			short(l.Name+"/"+m.Name, m.Text, 300, 110)
			if asks := m.Asks; len(m.Answers) > 0 && (asks.English == "" || asks.Chinese == "" && m.Text.Has(lang.Chinese)) {
				t.Errorf("%s/%s has answers and asks %q, %q", l.Name, m.Name, asks.English, asks.Chinese)
			}
			for _, a := range m.Answers {
				what := l.Name + "/" + m.Name + "/" + a.Name
				answers(what, a)
			}
		}
	}
}
