package program

// uses records the features that a program's text uses, anywhere in it.
type uses struct {
	name, token, storage, number bool
	clock                        bool // in a recording
	order                        bool // replies in which names may have an order, see SeesOrder
	literals                     []string
}

// Works reports whether the program says what its clients do in the critical section: a step there is a piece of that,
// and not yet the way out.
func (p *Program) Works() bool { return p.works() }

// UsesStorage reports whether the program's text names the protected resource.
func (p *Program) UsesStorage() bool { return p.features().storage }

// UsesNumber reports whether the program reads or writes the number that the protected resource holds.
func (p *Program) UsesNumber() bool { return p.features().number }

// Literals returns the strings in the program's text, without names of scripts and
// without comments. Do not change them.
func (p *Program) Literals() []string { return p.features().literals }

// UsesToken reports whether the program's text asks for an owner token.
func (p *Program) UsesToken() bool { return p.features().token }

// UsesName reports whether a client's behaviour may depend on its name.
func (p *Program) UsesName() bool { return p.features().name || p.features().token }

func (w *written) works() bool    { return w.work != nil }
func (w *written) features() uses { return w.uses }

// SeesOrder reports whether a client may observe in which order names stand: a recording has replies with all fields of a
// hash, which Redis sorts here, or scripts, which compare as they like.
func (p *Program) SeesOrder() bool { return p.features().order }
