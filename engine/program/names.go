package program

import "regexp"

var (
	tokenCalls = regexp.MustCompile(`\.token\(`)
	nameUses   = regexp.MustCompile(`\.(token\(|name\b)`)
)

// UsesToken says whether the program's text asks for an owner token.
func (p *Program) UsesToken() bool { return tokenCalls.MatchString(p.Source) }

// UsesName says whether what a client does may depend on its name.
func (p *Program) UsesName() bool { return nameUses.MatchString(p.Source) }
