package program

import "regexp"

var tokenCalls = regexp.MustCompile(`\.token\(`)

// UsesToken says whether the program's text asks for an owner token.
func (p *Program) UsesToken() bool { return tokenCalls.MatchString(p.Source) }
