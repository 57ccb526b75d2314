package door

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"lockstep/engine/lang"
	"lockstep/static"
	"lockstep/views"
	siteview "lockstep/views/site"
	"lockstep/web/class"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/shelf"
)

// A responder answers requests with pages, with errors and with other content.
type Responder struct {
	*Guard
	Cards *cards
	Rooms *class.Rooms
	Shelf *shelf.Shelf
}

// NewResponder returns what every group of pages of a site needs. The caller sets its rooms, its metrics and its secret.
func NewResponder(at Where, l Limits, processors int, log *slog.Logger, courses *shelf.Shelf) *Responder {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	work := limit.NewWork(cmp.Or(processors, runtime.GOMAXPROCS(0)))
	return &Responder{newGuard(l, work, newGateway(at, &journal{Log: log})), NewCards(), nil, courses}
}

// The server draws and compresses a whole answer and then hands it over. While a slow reader takes it, the server
// holds the compressed bytes and nothing else. It counts them for the reader's network.

const (
	smallAnswer = 16 << 10         // bytes, which a network gets even beyond its share: a refusal is an answer, too
	answerPiece = 64 << 10         // bytes that a reader has to take
	pieceTime   = 20 * time.Second // within this time
)

// Answer hands over the content that draw writes. It sets the headers for length and encoding; the caller has set the others.
func (rs *Responder) Answer(w http.ResponseWriter, r *http.Request, status int, draw func(*bytes.Buffer)) {
	ctx := r.Context()
	if err := limit.Begin(ctx); err != nil {
		return // nobody is left to answer
	}
	content, zipped := zippedFor(r, ctx, draw)
	rs.deliver(w, r, status, content, zipped)
}

// deliver hands over content that is drawn.
func (rs *Responder) deliver(w http.ResponseWriter, r *http.Request, status int, content []byte, zipped bool) {
	limit.Rest(r.Context()) // no other request waits for a slow reader
	network, n := VisitorOf(r).Network, int64(len(content))
	if n > smallAnswer {
		if !rs.Guard.Answers.Take(network, n) {
			rs.Refused("answers")
			rs.Busy(w, r, live.ErrAnswers)
			return
		}
		defer rs.Guard.Answers.Give(network, n)
	}
	h := w.Header()
	h.Set("Content-Length", strconv.FormatInt(n, 10))
	h.Add("Vary", "Accept-Encoding")
	if zipped {
		h.Set("Content-Encoding", "gzip")
	}
	w.WriteHeader(status)
	for out := http.NewResponseController(w); len(content) > 0; {
		piece := content[:min(len(content), answerPiece)]
		content = content[len(piece):]
		_ = out.SetWriteDeadline(time.Now().Add(pieceTime)) // a writer without one, as in a test, keeps the server's
		if _, err := w.Write(piece); err != nil {
			rs.Log.Debug("answer", "err", Nameless(err.Error()))
			return
		}
	}
}

// zippedFor returns the drawn content, compressed if the reader accepts gzip.
func zippedFor(r *http.Request, ctx context.Context, draw func(*bytes.Buffer)) (content []byte, zipped bool) {
	var plain bytes.Buffer
	draw(&plain)
	limit.Charge(ctx, live.Drawing(int64(plain.Len())))
	if plain.Len() == 0 || !static.AcceptsGzip(r.Header) {
		return plain.Bytes(), false
	}
	return zip(plain.Bytes()), true
}

// zippers compress harder than by default: a page of a run is 1 % smaller for about the same time.
var zippers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(nil, 8)
	if err != nil {
		panic(err) // the level exists
	}
	return z
}}

func zip(content []byte) []byte {
	var b bytes.Buffer
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(&b)
	_, err := z.Write(content)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(fmt.Errorf("compressing: %w", err)) // writing to memory does not fail
	}
	return b.Bytes()
}

func (rs *Responder) Render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Language, Cookie")
	if status == http.StatusOK { // a refusal gives nobody a name
		rs.Name(w, r)
	}
	rs.Answer(w, r, status, func(b *bytes.Buffer) { present.Write(b, c) })
}

// Fail answers with a page that explains the failure in one sentence.
func (rs *Responder) Fail(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	rs.Render(w, r, status, siteview.ErrorPage(rs.SiteFor(r), sentence, "/"))
}

// Refuse answers with a page that explains a refusal.
func (rs *Responder) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := refusal.Of(err)
	rs.Fail(w, r, e.Status, e.In(Language(r)))
}

// HttpError answers with a refusal in a line of plain text.
func HttpError(w http.ResponseWriter, e *refusal.Error, l lang.Language) {
	http.Error(w, e.In(l), e.Status)
}

// HandleNoForm redirects from the address of a form to its page: a browser that restarts
// may ask for that address.
func (rs *Responder) HandleNoForm(w http.ResponseWriter, r *http.Request) {
	rs.Remember(w, r)
	http.Redirect(w, r, rs.Base+path.Dir(r.URL.Path), http.StatusSeeOther)
}

// RefuseMethod answers with the methods that an address takes. It knows the routes that exist when it is called.
func (rs *Responder) RefuseMethod(routes chi.Routes) http.HandlerFunc {
	methods := map[string][]string{}
	_ = chi.Walk(routes, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		pattern = strings.TrimSuffix(pattern, "/")
		methods[pattern] = append(methods[pattern], method)
		return nil
	})
	return func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			// chi finds a subrouter at its root, even if no route is there.
			route := routes.Find(chi.NewRouteContext(), method, r.URL.Path)
			if route != "" && slices.Contains(methods[strings.TrimSuffix(route, "/")], method) {
				w.Header().Add("Allow", method)
			}
		}
		rs.Fail(w, r, http.StatusMethodNotAllowed, views.Say(Language(r), "error.method"))
	}
}

// Site returns the facts about this server that pages in a language need.
func (rs *Responder) Site(l lang.Language) views.Site {
	return views.Site{Lang: l, Alone: rs.Token != "", Base: rs.Base, Course: present.CoursePath(rs.Shelf.All()[0]), Assets: strings.TrimSuffix("/"+static.Path(""), "/")}
}
