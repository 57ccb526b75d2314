package door

import (
	"net/netip"
	"strings"

	"lockstep/web/limit"
)

// A gateway knows where the site is and who asks. It tells trusted proxies from others, our hosts from made-up ones, and
// signs the cookies that identify visitors.
type gateway struct {
	*journal
	Base          string
	Proxies       []netip.Prefix
	public, local string
	publicHost    host // of the public URL
	publicScheme  string
	machine       *machine
	Secret        []byte       // signs cookies
	Token         string       // that every request brings; empty: the site is for everybody
	Names         *limit.Rates // given to visitors, by network
	embedFrom     []string     // origins of sites that may frame some pages
}

// Where says where a site is, and who may ask it.
type Where struct {
	BasePath  string
	Proxies   []netip.Prefix                                  // whose forwarded headers are trusted
	PublicURL string                                          // that visitors use, as PublicURL returns it; empty: the site answers every host
	LocalURL  string                                          // by which others reach a server that its own machine calls localhost; empty: none
	Machine   func() (names []string, addresses []netip.Addr) // by which its networks reach this machine; nil: the system is asked
	EmbedFrom []string                                        // origins, as EmbedOrigins returns them, whose pages may frame those below /embed
	Token     string                                          // that every request brings; empty: anybody may look
}

func newGateway(at Where, j *journal) *gateway {
	g := &gateway{journal: j, Base: BasePath(at.BasePath), Proxies: at.Proxies, public: at.PublicURL, local: at.LocalURL, machine: NewMachine(at), Names: limit.NewRates(20, 2_000), Token: at.Token, embedFrom: at.EmbedFrom}
	g.publicHost, g.publicScheme, _ = HostOf(at.PublicURL)
	return g
}

// BasePath returns a base path in the one form that begins every URL, such as
// /tools/lockstep, and an empty text for the root.
func BasePath(text string) string {
	if text = strings.Trim(text, "/"); text == "" {
		return ""
	}
	return "/" + text
}
