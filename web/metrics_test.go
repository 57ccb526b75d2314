package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/live"
)

var here = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// The metrics count events by kind, and name nobody.
func TestMetricsCountWithoutNames(t *testing.T) {
	s := newSite(t, Options{Metrics: here, Limits: door.Limits{Makings: 4}})
	const run = "/t/k3v9m2xq7a"
	s.act(run, "spawn C1 naive")
	v, phone := s.watch(run+"/live"), s.watch(run+"/live?surface=phone")
	s.watch(run + "/live?surface=made-up")
	v.want("hello")
	phone.want("hello")
	v.say(`{"type":"act","id":"a","at":1,"action":"step C1"}`)
	v.want("events")
	s.get("/courses/k3v9m2xq7a").wants(t, http.StatusNotFound)
	s.get("/nobody/k3v9m2xq7a").wants(t, http.StatusNotFound)
	s.send("MADEUP", run, nil)
	for range 2 {
		s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive"}})
	}
	s.watch("/explore/live") // last: it asks nothing, and ends after a while
	var a answer
	until(t, "all sockets count", func() bool {
		a = s.get("/metrics")
		return strings.Contains(a.body, `surface="page"} 2`) && strings.Contains(a.body, `surface="phone"} 1`) && strings.Contains(a.body, `surface="explorer"} 1`)
	})
	a.wants(t, http.StatusOK,
		`lockstep_http_requests_total{method="POST",route="/t/{id:[a-z0-9]{10}}/actions",status="303"} 1`,
		`lockstep_http_requests_total{method="POST",route="/runs",status="429"} 1`,
		`lockstep_http_requests_total{method="GET",route="none",status="404"} 1`,
		`method="other"`,
		`lockstep_http_request_duration_seconds_count{method="POST",route="/runs"} 2`,
		`lockstep_sockets_open{surface="page"} 2`,
		`lockstep_sockets_open{surface="phone"} 1`,
		`lockstep_sockets_open{surface="explorer"} 1`,
		`lockstep_runs_in_memory 1`,
		`lockstep_health{part="store"} 1`,
		`lockstep_store_max_bytes 6.7108864e+07`,
		`lockstep_damaged_records_total 0`,
		`lockstep_messages_received_total 1`,
		`lockstep_slow_viewers_total 0`,
		`lockstep_refused_total{reason="makings"} 1`,
		`go_goroutines`, `process_open_fds`,
	)
	a.lacks(t, "k3v9m2xq7a", "127.0.0.1", "made-up", "MADEUP", `status="101"} 0`)
	for _, label := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(a.body, -1) {
		if !strings.Contains(" method route status surface reason of part le version quantile ", " "+label[1]+" ") {
			t.Errorf("there is a label %s", label[1])
		}
	}
}

// Names, kinds and sentences stay as dashboards and alerts know them, and each stands before its numbers. testdata/metrics.txt
// is what Prometheus' own client library wrote for this server, without the traffic of the whole machine.
func TestMetricsKeepTheirNames(t *testing.T) {
	known, err := os.ReadFile("testdata/metrics.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, Options{Metrics: here})
	s.get("/")
	a := s.get("/metrics")
	if kind := a.Header.Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("the metrics are of the type %s", kind)
	}
	var heads []string
	sample := regexp.MustCompile(`^([a-z][a-z0-9_]*?)(_bucket|_sum|_count)?(\{([a-z]+="[^"\\]*",?)+\})? (NaN|[+-]Inf|-?[0-9.]+(e[+-][0-9]+)?)$`)
	seen := map[string]bool{}
	about := ""
	for line := range strings.Lines(a.body) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			heads = append(heads, line)
			about = strings.Fields(line)[2]
			continue
		}
		if parts := sample.FindStringSubmatch(line); parts == nil || parts[1] != about && parts[1]+parts[2] != about {
			t.Errorf("behind the head of %s there is %q", about, line)
		}
		name, _, _ := strings.Cut(line, " ")
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
	want := strings.Split(strings.TrimSpace(string(known)), "\n")
	if runtime.GOOS != "linux" {
		want = slices.DeleteFunc(want, func(line string) bool { return strings.Contains(line, " process_") })
	}
	if !slices.Equal(heads, want) {
		t.Errorf("the metrics are\n%s\nwant\n%s", strings.Join(heads, "\n"), strings.Join(want, "\n"))
	}
}

// The metrics count a viewer that is dropped because it does not read.
func TestSlowViewersAreCounted(t *testing.T) {
	s := newSite(t, Options{Metrics: here})
	v := s.server.Rooms.Runs.NewViewer(live.Look{Language: "en"}, stuckSocket{make(chan struct{})})
	for range live.Queue + 2 {
		v.Send(live.Frame{})
	}
	s.server.Rooms.Runs.CountSlow(v)
	s.server.Rooms.Runs.CountSlow(s.server.Rooms.Runs.NewViewer(live.Look{Language: "en"}, discardSocket{}))
	s.get("/metrics").wants(t, http.StatusOK, "lockstep_slow_viewers_total 1")
}

// Only trusted networks may read the metrics. For others the page does not exist. A proxy on the same machine brings
// requests from anywhere.
func TestMetricsAreNotForEverybody(t *testing.T) {
	for _, c := range []struct {
		name, remote string
		proxies      []string
		headers      []string
		want         int
	}{
		{"this machine", "127.0.0.1:1", nil, nil, 200},
		{"another one", "192.168.1.7:1", nil, nil, 404},
		{"through a proxy that is not known", "127.0.0.1:1", nil, []string{"X-Forwarded-For", "203.0.113.5"}, 404},
		{"through one that says who it is", "127.0.0.1:1", nil, []string{"X-Forwarded-For", "127.0.0.1"}, 404},
		{"through one with another header", "127.0.0.1:1", nil, []string{"Forwarded", "for=203.0.113.5"}, 404},
		{"through the proxy", "127.0.0.1:1", []string{"127.0.0.1"}, []string{"X-Forwarded-For", "203.0.113.5"}, 404},
		{"through the proxy, from this machine", "10.0.0.1:1", []string{"10.0.0.1"}, []string{"X-Forwarded-For", "127.0.0.1"}, 200},
		{"through the proxy, made up", "10.0.0.1:1", []string{"10.0.0.1"}, []string{"X-Forwarded-For", "127.0.0.1, 203.0.113.5"}, 404},
	} {
		o := behind(t, c.proxies...)
		o.Metrics = here
		s := New(o)
		if a := recordedFrom(s.Handler(), c.remote, "GET", "http://localhost/metrics", c.headers...); a.Code != c.want {
			t.Errorf("%s: %d, want %d", c.name, a.Code, c.want)
		}
		s.Close()
	}
	s := newSite(t, Options{})
	s.get("/metrics").wants(t, http.StatusNotFound)
}

// Another site's page may have found this server under a name of its own. It reads no metrics, not even in a trusted
// browser.
func TestMetricsLookAtTheHost(t *testing.T) {
	for _, c := range []struct {
		host, public string
		want         int
	}{
		{"localhost:8080", "", 200},
		{"127.0.0.1", "", 200},
		{"[::1]:9090", "", 200},
		{"192.168.1.5:8080", "", 200},
		{"LAPTOP.local", "", 200},
		{"evil.example", "", 404},
		{"192.168.1.6:8080", "", 404},
		{"0.0.0.0:8080", "", 404},
		{"", "", 404},
		{"site.example", "", 404},
		{"site.example", "https://site.example", 200},
		{"site.example:8080", "https://site.example", 200},
		{"192.168.1.5:8080", "https://site.example", 200},
		{"evil.example", "https://site.example", 404},
		{"evil.site.example", "https://site.example", 404},
	} {
		s := New(Options{Metrics: here, PublicURL: c.public, Machine: laptop})
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/metrics", nil)
		r.Host, r.RemoteAddr = c.host, "127.0.0.1:1"
		if s.Handler().ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%q with the public URL %q: %d, want %d", c.host, c.public, w.Code, c.want)
		}
		s.Close()
	}
}

// A stranger who requests the metrics gets one line, as no limit is on that address.
func TestMetricsTellStrangersNothing(t *testing.T) {
	s := newSite(t, Options{})
	a := s.get("/metrics")
	a.wants(t, http.StatusNotFound, views.Say(lang.English, "error.none"))
	if len(a.body) > 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") || len(a.Cookies()) > 0 {
		t.Errorf("they get %d bytes of %s", len(a.body), a.Header.Get("Content-Type"))
	}
}
