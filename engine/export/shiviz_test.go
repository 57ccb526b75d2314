package export

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/lang"
)

// This reader does what ShiViz does with a log, after the published source of its NamedRegExp, LogParser, VectorTimestamp
// and ModelGraph. ShiViz is not an installable package:
//
//   - The parser must have the groups clock, event and host. It is matched again
//     and again, with the flags g and m; text between two matches is skipped.
//   - The log is cut wherever the delimiter matches, also within a line.
//   - A clock is JSON and has an entry for its host.
//   - A host's clocks, sorted, are 1, 2, 3 …
//   - A clock names only hosts of the log, and events that they have.
//
// Here everything must match: nothing is skipped, and there is no second execution.
func TestShiVizAccepts(t *testing.T) {
	for name, trace := range transcripts(t) {
		parts := strings.SplitN(written(t, "shiviz", trace), "\n", 3)
		parser, delimiter, log := parts[0], parts[1], strings.TrimSpace(parts[2])
		if strings.ContainsAny(parser+delimiter, "^$") {
			t.Fatalf("%s: the patterns are anchored", name)
		}
		// Go writes the groups of these patterns as JavaScript does.
		event := regexp.MustCompile("(?m)" + parser)
		for _, group := range []string{"host", "clock", "event"} {
			if event.SubexpIndex(group) < 0 {
				t.Fatalf("%s: the parser has no group %s", name, group)
			}
		}
		cuts := regexp.MustCompile("(?m)"+delimiter).FindAllStringIndex(log, -1)
		if len(cuts) != 1 || cuts[0][0] != 0 {
			t.Fatalf("%s: the delimiter stands at %v, not once at the beginning", name, cuts)
		}
		log = log[cuts[0][1]+1:]

		hosts := map[string]int{}
		var stamps []map[string]int
		events := trace.Run.World().Events()
		matches := event.FindAllStringSubmatch(log, -1)
		if lines := strings.Split(log, "\n"); len(matches) != len(events) || len(lines) != len(events) {
			t.Fatalf("%s: %d lines, %d matches, %d events", name, len(lines), len(matches), len(events))
		}
		for i, match := range matches {
			group := func(name string) string { return match[event.SubexpIndex(name)] }
			var stamp map[string]int
			if err := json.Unmarshal([]byte(group("clock")), &stamp); err != nil {
				t.Fatalf("%s: event %d: the clock %s: %v", name, i+1, group("clock"), err)
			}
			h := group("host")
			if hosts[h]++; stamp[h] != hosts[h] {
				t.Errorf("%s: event %d is number %d of %s, its clock says %d", name, i+1, hosts[h], h, stamp[h])
			}
			stamps = append(stamps, stamp)
			if e := events[i]; group("seq") != strconv.Itoa(e.Seq) || group("time") != strconv.FormatInt(int64(e.Time), 10) ||
				group("kind") != string(e.Kind) || group("event") != shivizText.Replace(e.Sentence(lang.English)) {
				t.Errorf("%s: event %d is read as %q", name, i+1, match)
			}
		}
		for i, stamp := range stamps {
			for h, n := range stamp {
				if n < 1 || n > hosts[h] {
					t.Errorf("%s: event %d knows of event %d of %s, which has %d", name, i+1, n, h, hosts[h])
				}
			}
		}
	}
}
