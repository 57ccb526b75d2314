package run

// A Console takes commands that the reader types.
type Console struct {
	Lane    string // of the timeline that shows them
	Entries []ConsoleEntry
	Typed   string // the refused command, still on the line
	Refusal string // the reason; empty: no refusal
}

// A ConsoleEntry is a typed command and the reply of Redis.
type ConsoleEntry struct {
	Seq     int // of the event that brought the reply
	Command string
	Lines   []string // the reply as redis-cli shows it
	Error   bool
}

// ConsoleData is what the console's script knows of commands.
type ConsoleData struct {
	Lane     string            `json:"lane"`
	Commands []CommandHelp     `json:"commands"`
	Words    map[string]string `json:"words"` // the script's own texts: unknown, quotes
}

// CommandHelp is the help for one command, in the reader's language.
type CommandHelp struct {
	Name       string      `json:"name"`
	Syntax     string      `json:"syntax"`
	Forms      []string    `json:"forms,omitempty"` // the only forms that this site accepts
	Summary    string      `json:"summary"`
	Since      string      `json:"since"`
	Complexity string      `json:"complexity"`
	Categories string      `json:"categories"`
	Replies    []ReplyHelp `json:"replies"`
	Deprecated string      `json:"deprecated,omitempty"` // the version, and the command that replaces it
}

// ReplyHelp explains a reply.
type ReplyHelp struct {
	Reply   string `json:"reply"`
	Meaning string `json:"meaning"`
}
