package web

import (
	"net/netip"

	"lockstep/web/limit"
)

// A gateway knows where the site is and who asks. It tells trusted proxies from others, our hosts from made-up ones, and
// signs the cookies that identify visitors.
type gateway struct {
	*journal
	base          string
	proxies       []netip.Prefix
	public, local string
	publicHost    host // of the public URL
	publicScheme  string
	machine       *machine
	secret        []byte       // signs cookies
	token         string       // that every request brings; empty: the site is for everybody
	names         *limit.Rates // given to visitors, by network
	embedFrom     []string     // origins of sites that may frame some pages
}

func newGateway(o Options, j *journal) *gateway {
	g := &gateway{journal: j, base: BasePath(o.BasePath), proxies: o.Proxies, public: o.PublicURL, local: o.LocalURL, machine: newMachine(o), names: limit.NewRates(20, 2_000), token: o.Token, embedFrom: o.EmbedFrom}
	g.publicHost, g.publicScheme, _ = hostOf(o.PublicURL)
	return g
}
