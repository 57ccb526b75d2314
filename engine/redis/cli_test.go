package redis

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// Split and Lines agree with redis-cli. The page's tests read the same samples.
func TestAsRedisCLI(t *testing.T) {
	text, err := os.ReadFile("testdata/cli.json")
	if err != nil {
		t.Fatal(err)
	}
	var samples struct {
		Split []struct {
			Line    string
			Words   []string
			Refused bool
			Quoted  string // in place of words that JSON cannot hold
		}
		Replies []struct {
			RESP Reply
			Text string
			CLI  []string
		}
	}
	if err := json.Unmarshal(text, &samples); err != nil {
		t.Fatal(err)
	}
	for _, sample := range samples.Split {
		words, refusal := Split(sample.Line)
		if sample.Quoted != "" {
			if got := Quote(words); got != sample.Quoted || refusal != nil {
				t.Errorf("%s, quoted again: %s, not %s", sample.Line, got, sample.Quoted)
			}
			sample.Words = words
		}
		if !slices.Equal(words, sample.Words) || (refusal != nil) != sample.Refused {
			t.Errorf("%s: %q, %v", sample.Line, words, refusal)
		}
		if again, refusal := Split(Quote(words)); !slices.Equal(again, words) {
			t.Errorf("%s, quoted again: %q, %v", sample.Line, again, refusal)
		}
	}
	for _, sample := range samples.Replies {
		if got := sample.RESP.String(); got != sample.Text {
			t.Errorf("%q: %s, not %s", sample.RESP, got, sample.Text)
		}
		if got := sample.RESP.Lines(); !slices.Equal(got, sample.CLI) {
			t.Errorf("%q: %q, not %q", sample.RESP, got, sample.CLI)
		}
	}
}
