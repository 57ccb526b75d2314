package lang_test

import (
	"strings"
	"testing"

	"lockstep/engine/lang"
)

type greeting struct{}

func (greeting) Sentence(in lang.Language) string { return lang.Both("hello", "你好").In(in) }

// Each pattern takes the same arguments, and each argument speaks the language of its pattern.
func TestFormat(t *testing.T) {
	arguments := []any{lang.Both("lock", "锁"), 2, greeting{}}
	got := lang.Format("%s %d %s", "%[3]s %[2]d %[1]s", arguments...)
	if want := lang.Both("lock 2 hello", "你好 2 锁"); got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if _, kept := arguments[0].(lang.Text); !kept {
		t.Errorf("the caller's argument is now %v", arguments[0])
	}
}

// A reader gets the other language where a text has only one.
func TestIn(t *testing.T) {
	var text lang.Text
	text.Set(lang.Chinese, "锁")
	if text.Has(lang.English) || !text.Has(lang.Chinese) {
		t.Errorf("%+v has English %v, Chinese %v", text, text.Has(lang.English), text.Has(lang.Chinese))
	}
	for _, l := range lang.All {
		if got := text.In(l); got != "锁" {
			t.Errorf("in %s the text is %q", l, got)
		}
	}
	if text.Foreign(lang.Chinese) != "" || text.Foreign(lang.English) != lang.Chinese || lang.Both("lock", "").Foreign(lang.Chinese) != lang.English || (lang.Text{}).Foreign(lang.Chinese) != "" {
		t.Error("a text does not know in whose place it stands")
	}
}

// Only the tags of the languages name one.
func TestNamed(t *testing.T) {
	for tag, want := range map[string]bool{"en": true, "zh": true, "": false, "fr": false, "zh-CN": false} {
		if _, ok := lang.Named(tag); ok != want {
			t.Errorf("%q names a language: %v", tag, ok)
		}
	}
}

// A name that is one of the known ones but for two letters is near it. Letters that are missing count like letters too many.
func TestNearest(t *testing.T) {
	known := []string{"getset", "setnx", "set", "get", "getset-compare-delete"}
	for name, want := range map[string]string{"setxn": "set setnx", "SETN": "set setnx get", "gets": "get getset set", "": "", "compare": "", "getset-comp": ""} {
		if got := strings.Join(lang.Nearest(name, known), " "); got != want {
			t.Errorf("near %q are %q, not %q", name, got, want)
		}
	}
}
