package web

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
	"lockstep/web/runpages"
)

// oEmbed tells a site what to show in place of a link to a run, a lesson, a challenge or the explorer: a frame if
// --embed-from lets any site frame it, and otherwise the picture of the link.

const (
	mostURL       = 2 << 10 // bytes of an address that somebody asks about
	frameWidth    = 960     // px, where the asker sets no bound
	frameHeight   = 640     // px
	oembedSeconds = 600     // for which an answer may be kept, as a card may
)

// An oembed is an answer, as oembed.com describes it.
type oembed struct {
	Version         string `json:"version"`
	Type            string `json:"type"` // rich, photo or link
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"`
	URL             string `json:"url,omitempty"` // of a photo
	HTML            string `json:"html,omitempty"`
	Width           int    `json:"width,omitempty"`
	Height          int    `json:"height,omitempty"`
	ThumbnailURL    string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
}

// handleOEmbed answers what to show of a page.
func (s *Server) handleOEmbed(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if format := query.Get("format"); format != "" && format != "json" {
		s.refuseOEmbed(w, r, http.StatusNotImplemented, "oembed.format")
		return
	}
	width, ok := most(query.Get("maxwidth"))
	height, also := most(query.Get("maxheight"))
	if !ok || !also {
		s.refuseOEmbed(w, r, http.StatusBadRequest, "oembed.size")
		return
	}
	asked, ok := s.ours(r, query.Get("url"))
	if !ok {
		s.refuseOEmbed(w, r, http.StatusNotFound, "oembed.none")
		return
	}
	l, chosen := lang.Named(asked.Query().Get("lang"))
	if !chosen {
		l = door.Language(r)
	}
	title, shown, status := s.oembedOf(r, asked, l)
	switch status {
	case http.StatusOK:
	case http.StatusUnauthorized:
		s.refuseOEmbed(w, r, status, "oembed.room")
		return
	default:
		s.refuseOEmbed(w, r, status, "oembed.none")
		return
	}
	origin := s.PublicURL(r)
	o := oembed{Version: "1.0", Type: "link", Title: title, ProviderName: "Lockstep", ProviderURL: origin + "/", CacheAge: oembedSeconds}
	card, fits := origin+shown, width >= picture.Width && height >= picture.Height
	switch {
	case s.Embeds():
		o.Type, o.Width, o.Height = "rich", min(width, frameWidth), min(height, frameHeight)
		o.HTML = iframe(origin+views.EmbedPath+framedPath(asked, l), title, o.Width, o.Height)
		if fits {
			o.ThumbnailURL, o.ThumbnailWidth, o.ThumbnailHeight = card, picture.Width, picture.Height
		}
	case fits:
		o.Type, o.URL, o.Width, o.Height = "photo", card, picture.Width, picture.Height
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "public, max-age="+strconv.Itoa(oembedSeconds))
	h.Set("Vary", "Accept-Language, Cookie")
	s.Answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		if err := json.NewEncoder(b).Encode(o); err != nil {
			panic(err) // every field can be encoded
		}
	})
}

func (s *Server) refuseOEmbed(w http.ResponseWriter, r *http.Request, status int, key string) {
	http.Error(w, views.Say(door.Language(r), key), status)
}

// most reads a bound in px; without one there is none.
func most(text string) (px int, ok bool) {
	if text == "" {
		return 1 << 30, true
	}
	px, err := strconv.Atoi(text)
	return px, err == nil && px > 0
}

// ours returns an address below this site's. It reports false for that of any other host, and for a page that has nothing
// to embed.
func (s *Server) ours(r *http.Request, text string) (path *url.URL, ok bool) {
	if len(text) > mostURL {
		return nil, false
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil {
		return nil, false
	}
	asked, scheme, ok := door.HostOf(text)
	here, usual, _ := door.HostOf(s.PublicURL(r))
	below, inside := strings.CutPrefix(u.Path, s.Base)
	if !ok || asked != here || scheme != usual || !inside || !views.Embeddable(below) {
		return nil, false
	}
	return &url.URL{Path: below, RawQuery: u.RawQuery}, true
}

// oembedOf returns the title of a page and the path of its picture, or the status that oEmbed has for a page without.
func (s *Server) oembedOf(r *http.Request, asked *url.URL, l lang.Language) (title, shown string, status int) {
	first, rest, _ := strings.Cut(strings.TrimPrefix(asked.Path, "/"), "/")
	switch first {
	case "courses":
		t := s.taskAt(rest)
		if t.Lesson == nil {
			return "", "", http.StatusNotFound
		}
		return present.TaskTitle(t, l), views.PictureOf(present.TaskPath(t), "", l), http.StatusOK
	case "explore":
		q, err := present.ReadQuestion(asked.Query())
		if err != nil || q.Own {
			return "", "", http.StatusNotFound
		}
		return q.Title(l), views.PictureOf(asked.Path, q.Query(), l), http.StatusOK
	}
	run, done, err := s.Rooms.Runs.Look(r.Context(), rest)
	if err != nil {
		return "", "", http.StatusNotFound
	}
	defer done()
	switch {
	case run.Place().Room != "":
		return "", "", http.StatusUnauthorized
	case run.Untouched():
		return "", "", http.StatusNotFound
	}
	step, err := runpages.Position(asked.Query().Get("step"))
	if err != nil || step == live.Anywhere || step > run.Length() {
		step = run.Length()
	}
	card, err := run.Card(r.Context(), step, l)
	if err != nil {
		return "", "", http.StatusNotFound
	}
	return strings.Join([]string{card.Titles[0], card.Kind}, " · "), views.PictureOf(asked.Path, "step="+strconv.Itoa(step), l), http.StatusOK
}

// taskAt returns the task at the address of a lesson or a challenge, without the path of all courses. That of an incident is
// its first challenge.
func (s *Server) taskAt(name string) course.Task {
	in, lesson, _ := strings.Cut(name, "/")
	if c := course.Named(s.Shelf.All(), in); c != nil {
		if l := c.Lesson(lesson); l != nil && l.Scenario == nil && len(l.Challenges) > 0 {
			return course.Task{Course: c, Lesson: l, Challenge: l.Challenges[0]}
		}
	}
	return course.Find(s.Shelf.All(), name)
}

// framedPath returns the path and query of a page in a frame, in a language.
func framedPath(asked *url.URL, l lang.Language) string {
	query := asked.Query()
	query.Set("lang", string(l))
	return (&url.URL{Path: asked.Path, RawQuery: query.Encode()}).String()
}

// iframe returns the markup of a frame.
func iframe(src, title string, width, height int) string {
	return `<iframe src="` + html.EscapeString(src) + `" title="` + html.EscapeString(title) + `" width="` + strconv.Itoa(width) + `" height="` + strconv.Itoa(height) +
		`" style="border:0;max-width:100%" loading="lazy" allow="fullscreen"></iframe>`
}
