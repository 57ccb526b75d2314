package door

import (
	"context"
	"crypto/hmac"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/views"
	"lockstep/web/live"
)

// A page below /embed stands in a frame of another site: a lesson, a challenge, a run or the explorer, with the stage and the
// card alone. Only the sites of Where.EmbedFrom may frame it, and no site may frame any other page.
//
// Browsers refuse the cookies of a site in a frame. An embedded page therefore brings its visitor's name as a token in the
// query of all that it asks for. Without a name, a school behind one router would be one visitor.

const (
	VisitorField = "visitor"
	MostOrigins  = 32             // that may frame a page: each is in a header, and gets each message
	embedTime    = 24 * time.Hour // for which a token names somebody
)

// EmbedOrigins checks the origins of sites that may frame pages, and returns them as browsers write them.
func EmbedOrigins(texts []string) ([]string, error) {
	var origins []string
	for _, text := range texts {
		origin, err := embedOrigin(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	if len(origins) > MostOrigins {
		return nil, engine.Refuse("%d sites are too many: at most %d", "%d 个网站太多：至多 %d 个", len(origins), MostOrigins)
	}
	return origins, nil
}

func embedOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case strings.Contains(text, "*"):
		return "", engine.Refuse("%q has a wildcard: name each site, such as https://moodle.example", "%q 含通配符：请逐个写出网站，例如 https://moodle.example", text)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return "", engine.Refuse("%q is not the origin of a site, such as https://moodle.example", "%q 不是 https://moodle.example 这样的网站源", text)
	}
	h, ok := ParseHost(u.Host, u.Scheme)
	switch {
	case !ok:
		return "", engine.Refuse("the host of %q is neither a name in ASCII (xn--… for others) nor an address", "%q 的主机既不是 ASCII 主机名（其他文字写成 xn--…）也不是地址", text)
	case h.address.Is6():
		return "", engine.Refuse("browsers know no IPv6 address as a site that frames a page: give %q a name", "浏览器不接受以 IPv6 地址嵌入页面的网站：请给 %q 一个主机名", text)
	case u.User != nil || u.Path != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", engine.Refuse("%q has more than a scheme, a host and a port: the origin of that site is %s", "%q 不只有协议、主机和端口：那个网站的源是 %s", text, h.URL(u.Scheme))
	}
	return h.URL(u.Scheme), nil
}

// Embeds reports whether pages of other sites may frame some of this site's.
func (g *gateway) Embeds() bool { return len(g.embedFrom) > 0 }

// policyFor returns the content security policy of a page: which sites may frame it, and what it may load.
func (g *gateway) policyFor(path string) string {
	if inner, ok := strings.CutPrefix(path, views.EmbedPath); ok && g.Embeds() && views.Embeddable(inner) {
		return loads + "frame-ancestors " + strings.Join(g.embedFrom, " ")
	}
	return Policy
}

type embedKey struct{}

// Embedded makes the handlers after it answer with pages for a frame, and gives a visitor without a name a token. A network
// gets tokens and cookies from the same supply.
func (g *gateway) Embedded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, f := VisitorOf(r), &views.Frame{Origins: g.embedFrom}
		if given := r.URL.Query().Get(VisitorField); g.TokenName(given, v.Network) != "" {
			f.Visitor = given
		} else if !v.IsNamed() && g.Names.Allow(v.Network) {
			f.Visitor = g.VisitorToken(v.Network, live.NewID(), time.Now().Add(embedTime))
			v.Person = g.TokenName(f.Visitor, v.Network)
		}
		ctx := context.WithValue(r.Context(), embedKey{}, f)
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, visitorKey{}, v)))
	})
}

// FrameOf returns the frame of an embedded page; nil: the page is for a window.
func FrameOf(r *http.Request) *views.Frame {
	f, _ := r.Context().Value(embedKey{}).(*views.Frame)
	return f
}

// VisitorToken returns a token that names a person in a network until some time. Only the servers of one store can make it.
func (g *gateway) VisitorToken(network, name string, until time.Time) string {
	text := name + "." + strconv.FormatInt(until.Unix(), 36)
	return text + "." + g.Sign("embedded", network+"\x00"+text)
}

// TokenName returns the name in a token for that network; empty: it is forged, too old or of another network.
func (g *gateway) TokenName(token, network string) string {
	text, mark, _ := cutLast(token, ".")
	name, until, _ := strings.Cut(text, ".")
	if len(name) != nameLength || !hmac.Equal([]byte(mark), []byte(g.Sign("embedded", network+"\x00"+text))) {
		return ""
	}
	if seconds, err := strconv.ParseInt(until, 36, 64); err != nil || time.Now().Unix() >= seconds {
		return ""
	}
	return name
}

// cutLast cuts a text around the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
