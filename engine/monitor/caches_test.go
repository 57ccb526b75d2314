package monitor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// cache makes a log of a key that is no lock: a cache that is written through or filled on a miss, or a session that some host
// opens and another closes. They use NX and DEL, as a lock does.
func cache(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 33))
	kind, clients, ttl := seed%3, 2+r.Int64N(4), 1e6*(1+r.Int64N(60))
	var b strings.Builder
	at, until := int64(0), int64(0)
	send := func(wait int64, client int64, words string) {
		at += wait
		b.WriteString(line(at, fmt.Sprintf("10.0.0.%d:1", client), words))
	}
	for i := range 10 + r.Int64N(50) {
		client := r.Int64N(clients)
		fill := fmt.Sprintf(`"SET" "k" "v%d" "NX" "PX" "%d"`, i, ttl/1000)
		wait := 50_000 + r.Int64N(2e6)
		switch {
		case kind == 0: // who changes the data
			send(wait, client, `"DEL" "k"`)
			send(1000+r.Int64N(100_000), client, fill)
		case kind == 1 && r.IntN(4) == 0: // somebody changes the data
			send(wait, client, `"DEL" "k"`)
			until = 0
		case kind == 1:
			if send(wait, client, `"GET" "k"`); at > until {
				send(1000+r.Int64N(20_000), client, fill)
				until = at + ttl
			}
		default:
			send(wait, client, fill)
			send(r.Int64N(ttl-5000), r.Int64N(clients), `"DEL" "k"`)
		}
	}
	return b.String()
}

// A cache and a session are not accused, however their clients delete them.
func TestACacheIsNotAccused(t *testing.T) {
	accused, deletes, expired := 0, 0, 0
	for seed := range uint64(900) {
		log := cache(seed)
		r := detected(t, log)
		for _, row := range r.Locks {
			deletes, expired = deletes+row.Removed, expired+row.Expired
			if row.Overlaps+row.ForeignDeletes+row.Late != 0 {
				t.Errorf("log %d: the row tells of what the report does not: %+v", seed, row)
			}
		}
		if r.Found > 0 || len(r.Findings) > 0 {
			if accused++; accused < 4 {
				t.Errorf("log %d: %+v\n%s", seed, r.Findings[0], log)
			}
		}
	}
	if accused > 0 || deletes < 1000 || expired < 100 {
		t.Errorf("%d accused; %d deleted by others, %d ran out", accused, deletes, expired)
	}
}

// Where holders release a lock, a person's DEL that takes it from one is the exception, and convicts him who goes on and deletes
// the next one's. Where there are no such releases, the same lines are those of a session, and convict nobody.
func TestADELConvictsWhereHoldersRelease(t *testing.T) {
	late := line(50e6, "10.0.0.1:1", `"SET" "k" "one" "NX" "PX" "60000"`) + line(51e6, "10.0.0.9:1", `"DEL" "k"`) +
		line(52e6, "10.0.0.2:1", `"SET" "k" "two" "NX" "PX" "60000"`) + line(53e6, "10.0.0.1:1", `"DEL" "k"`)
	for releases, found := range map[int]int{0: 0, 3: 0, 20: 2} {
		log := line(0, "10.0.0.1:1", `"FLUSHALL"`)
		for i := range int64(releases) {
			from := fmt.Sprintf("10.0.0.%d:1", 1+i%2)
			log += line((1+i)*1e6, from, `"SET" "k" "t" "NX" "PX" "60000"`) + line((1+i)*1e6+1e5, from, `"DEL" "k"`)
		}
		r := detected(t, log+late)
		if r.Found != found || len(r.Findings) != found || r.Locks[0].Overlaps+r.Locks[0].ForeignDeletes != found || r.Locks[0].Loose != (found == 0) {
			t.Errorf("after %d releases: %d found, %+v", releases, r.Found, r.Locks[0])
		}
	}
}
