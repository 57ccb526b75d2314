package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A step is an entry for a test.
type step struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text,omitempty"`
}

func (s step) RequestID() string { return s.ID }

// folded reads a Log and returns the texts that are new to it; "anew" stands for a call of anew.
func folded(t *testing.T, l *Log[step]) (texts []string) {
	t.Helper()
	err := l.Read(func() { texts = append(texts, "anew") }, func(s step) error {
		texts = append(texts, s.Text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// appends adds one entry for each text to a Log.
func appends(t *testing.T, l *Log[step], texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := l.Append(step{ID: text, Text: text}); err != nil {
			t.Fatal(err)
		}
	}
}

// A server that is behind reads what it has missed, and then adds.
func TestTwoLogsFollowEachOther(t *testing.T) {
	each(t, func(t *testing.T, s Store) {
		one, two := NewLog[step](s, "t/log"), NewLog[step](s, "t/log")
		appends(t, one, "a", "b")
		if err := two.Append(step{Text: "c"}); !errors.Is(err, ErrBehind) {
			t.Fatalf("a log that is behind: %v", err)
		}
		if texts := folded(t, two); !slices.Equal(texts, []string{"a", "b"}) {
			t.Errorf("it reads %q", texts)
		}
		appends(t, two, "c")
		if texts := folded(t, one); !slices.Equal(texts, []string{"c"}) {
			t.Errorf("the other one reads %q", texts)
		}
		if one.Len() != 3 || one.Len() != two.Len() || one.Bytes() != two.Bytes() || one.Bytes() != int64(3*len(`{"id":"a","text":"a"}`)) {
			t.Errorf("one has %d entries of %d bytes, the other %d of %d", one.Len(), one.Bytes(), two.Len(), two.Bytes())
		}
	})
}

// A Log restores forgotten entries, both on an append and on a read.
func TestALogRestoresWhatIsForgotten(t *testing.T) {
	for _, use := range []string{"append", "read"} {
		s := Memory(Options{})
		l := NewLog[step](s, "t/log")
		appends(t, l, "a", "b")
		if err := s.Delete(context.Background(), "t/log"); err != nil {
			t.Fatal(err)
		}
		want := []string{"a", "b"}
		if use == "append" {
			appends(t, l, "c")
			want = append(want, "c")
		} else if texts := folded(t, l); texts != nil {
			t.Errorf("the Log reads %q", texts)
		}
		if texts := folded(t, NewLog[step](s, "t/log")); !slices.Equal(texts, want) {
			t.Errorf("%s: afterwards the log is %q", use, texts)
		}
	}
}

// Another log under the same name replaces the copy, including its known requests.
func TestALogIsReplaced(t *testing.T) {
	s := Memory(Options{})
	l := NewLog[step](s, "t/log")
	appends(t, l, "a", "b")
	if err := s.Delete(context.Background(), "t/log"); err != nil {
		t.Fatal(err)
	}
	appends(t, NewLog[step](s, "t/log"), "x")
	if err := l.Append(step{Text: "c"}); !errors.Is(err, ErrBehind) {
		t.Errorf("appending to another log: %v", err)
	}
	if texts := folded(t, l); !slices.Equal(texts, []string{"anew", "x"}) {
		t.Errorf("the Log reads %q", texts)
	}
	if l.Has("a") || !l.Has("x") || l.Len() != 1 {
		t.Errorf("the Log has %d entries: a %t, x %t", l.Len(), l.Has("a"), l.Has("x"))
	}
}

// A Log knows by its id a request that a client sends again because the answer was lost.
func TestALogHasItsRequests(t *testing.T) {
	s := Memory(Options{})
	l, other := NewLog[step](s, "t/log"), NewLog[step](s, "t/log")
	appends(t, l, "first")
	if !l.Has("first") || l.Has("second") || l.Has("") {
		t.Error("the Log does not know a request that it carried out")
	}
	if err := other.Append(step{ID: "refused"}); !errors.Is(err, ErrBehind) || other.Has("refused") {
		t.Error("the Log knows a request that failed")
	}
	folding := errors.New("folding")
	if err := other.Read(func() {}, func(step) error { return folding }); !errors.Is(err, folding) || !errors.Is(err, ErrDamaged) || other.Has("first") || other.Len() != 0 {
		t.Errorf("the Log knows a request that cannot be folded: %v", err)
	}
	for i := range 1000 {
		appends(t, l, fmt.Sprint(i))
	}
	folded(t, other)
	for _, l := range []*Log[step]{l, other} {
		if l.Has("first") || !l.Has("0") || !l.Has("999") {
			t.Error("the Log does not remember exactly the last thousand requests")
		}
	}
}

// A Log hands its owner to the store.
func TestALogHasAnOwner(t *testing.T) {
	kept := Memory(Options{MaxBytes: 8000})
	for i := range 3 {
		l := NewLog[step](kept, fmt.Sprintf("t/%d", i))
		l.Owner = "a network"
		err := l.Append(step{Text: strings.Repeat("x", 1000)})
		if want := []error{nil, ErrShare, ErrShare}[i]; !errors.Is(err, want) {
			t.Errorf("log %d: %v, not %v", i, err, want)
		}
	}
	if err := NewLog[step](kept, "t/nobody").Append(step{Text: "x"}); err != nil {
		t.Error(err)
	}
}
