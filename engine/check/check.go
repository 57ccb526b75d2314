package check

import (
	"cmp"
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Property is a rule that the engine judges, with all its words for the site, the explorer and the command line. Each
// has a file of its own.
type Property struct {
	engine.Property

	Holds       lang.Text // the rule, as a clause: nobody deletes another's lock
	Goal        lang.Text // its violation as a goal, in a few words: two clients inside at once
	Harm        lang.Text // its violation as a noun without an article, for a meter: two holders
	Broken      lang.Text // its violation, as a sentence without names
	Reachable   lang.Text // for a lookahead that finds a violation, a pattern for the number of actions
	Unreachable lang.Text // for a lookahead that finds none, a pattern for the bounds

	// Looks returns what the property looks at in a client besides its key, which decides what the client does; nil: nothing.
	// Clients that differ in it are different to a search.
	Looks func(c *engine.Client) string

	// Now says in a few words how far a world is from the goal: who counts.
	Now func(w *engine.World) lang.Text

	// Chinese has words of its own for the name, the violation and the rule, where English uses the name alone.
	Chinese InChinese

	// Flag is the text that the timeline writes at a violation: {clients} are its clients, {n} is their number, {a} and
	// {b} are the first two.
	Flag lang.Text
}

// InChinese holds a property's name in Chinese, and the words for its violation and for its holding.
type InChinese struct{ Name, Violated, Holds string }

// Properties lists the properties of the course, in teaching order.
var Properties = []*Property{&MutualExclusion, &Overlap, &ForeignDelete, &LeaseDrift, &Stuck, &Unattended, &BoundedWait, &StaleWrite, &LostUpdate}

// InChinese returns the property's own words in Chinese. Its name stands for those that are missing.
func (p *Property) InChinese() InChinese {
	c := p.Chinese
	return InChinese{cmp.Or(c.Name, p.Name), cmp.Or(c.Violated, p.Name), cmp.Or(c.Holds, p.Name)}
}

// All returns the engine's part of every property.
func All() []engine.Property {
	all := make([]engine.Property, len(Properties))
	for i, p := range Properties {
		all[i] = p.Property
	}
	return all
}

// Names returns the names of the properties.
func Names() []string {
	names := make([]string, len(Properties))
	for i, p := range Properties {
		names[i] = p.Name
	}
	return names
}

// Flags returns the timeline's text for each violation, by the name of its
// property.
func Flags(in lang.Language) map[string]string {
	flags := map[string]string{}
	for _, p := range Properties {
		flags[p.Name] = p.Flag.In(in)
	}
	return flags
}

// Named returns the property with a name. It reports whether there is one.
func Named(name string) (p Property, ok bool) {
	i := slices.IndexFunc(Properties, func(p *Property) bool { return p.Name == name })
	if i < 0 {
		return Property{}, false
	}
	return *Properties[i], true
}

// find returns the violation by exactly these clients, or nil.
func find(violations []engine.Violation, clients ...string) *engine.Violation {
	i := slices.IndexFunc(violations, func(v engine.Violation) bool { return slices.Equal(v.Clients, clients) })
	if i < 0 {
		return nil
	}
	return &violations[i]
}
