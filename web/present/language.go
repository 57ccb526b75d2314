package present

import (
	"lockstep/engine/lang"
	"lockstep/views"
)

// engineLanguage returns a language as the engine names it.
func engineLanguage(l views.Language) lang.Language {
	if l == views.Chinese {
		return lang.Chinese
	}
	return lang.English
}
