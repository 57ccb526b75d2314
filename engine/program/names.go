package program

// uses is what a program's text makes use of, anywhere in it.
type uses struct {
	name, token, storage bool
	literals             []string
}

// UsesStorage says whether the program's text writes to the protected resource.
func (p *Program) UsesStorage() bool { return p.uses.storage }

// Literals are the strings that the program's text has, but for names of scripts
// and comments. Do not change them.
func (p *Program) Literals() []string { return p.uses.literals }

// UsesToken says whether the program's text asks for an owner token.
func (p *Program) UsesToken() bool { return p.uses.token }

// UsesName says whether what a client does may depend on its name.
func (p *Program) UsesName() bool { return p.uses.name || p.uses.token }
