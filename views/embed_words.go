package views

// embedWords are the texts of a page in a frame of another site.
var embedWords = map[string]word{
	"embed.open": {"Open in Lockstep", "在 Lockstep 中打开"},
}
