package present

import (
	"net/url"
	"testing"
)

// An address carries its whole question.
func TestQuestionInAnAddress(t *testing.T) {
	for _, query := range []string{
		"program=del-setnx&property=mutual-exclusion&clients=3&ticks=6&timeout=2&crashes=1&delays=any",
		"program=getset&property=none&clients=2&ticks=0&timeout=30&crashes=0&delays=0&skew-C1=-1.5&skew-C2=2&replies=1&apart=1&causes=1&run=search",
		"program=naive&property=overlap&clients=2&ticks=3&timeout=5&crashes=0&delays=any&tick=4&losses=1",
		"program=set-px&property=stuck&clients=1&ticks=30&timeout=1&crashes=1&delays=10&nodes=5&node-crashes=2&restart-delay=3&lose=1&run=luck",
	} {
		fields, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := ReadQuestion(fields)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if q.Query() != query {
			t.Errorf("%s is read as\n%s", query, q.Query())
		}
	}
}

// Clients that are alike count once, unless the reader wants them apart or a program could tell them apart. Older addresses
// that ask for symmetry mean the same.
func TestLikeClientsCountOnce(t *testing.T) {
	named := url.Values{"own": {"1"}, "source": {"def acquire(c):\n    return c.setnx(\"C\", 1) == 1\n\ndef release(c, lease):\n    c.delete(\"C\")\n"}, "symmetry": {"1"}}
	for _, test := range []struct {
		fields url.Values
		once   bool
	}{{nil, true}, {url.Values{"symmetry": {"1"}}, true}, {url.Values{"skew-C1": {"1"}}, true}, {url.Values{"apart": {"1"}}, false}, {named, false}} {
		if q, err := ReadQuestion(test.fields); err != nil || q.Symmetry != test.once {
			t.Errorf("%v: like clients count once: %t, %v", test.fields, q.Symmetry, err)
		}
	}
}
