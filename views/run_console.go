package views

// A Console is where commands are typed by hand.
type Console struct {
	Lane    string // on which they happen
	Entries []ConsoleEntry
	Typed   string // what stands on the line: it was refused
	Refusal string // why; empty: it was not
}

// A ConsoleEntry is a command that was typed, and what Redis answered.
type ConsoleEntry struct {
	Seq     int // of the event that brought the reply
	Command string
	Lines   []string // the reply as redis-cli shows it
	Error   bool
}

// ConsoleData is what the script of the console begins with.
type ConsoleData struct {
	Lane     string            `json:"lane"`
	Commands []CommandHelp     `json:"commands"`
	Words    map[string]string `json:"words"` // what the script says by itself: unknown, quotes
}

// CommandHelp is the help for one command, in the reader's language.
type CommandHelp struct {
	Name       string      `json:"name"`
	Syntax     string      `json:"syntax"`
	Forms      []string    `json:"forms,omitempty"` // the only ways in which it can be written here
	Summary    string      `json:"summary"`
	Since      string      `json:"since"`
	Complexity string      `json:"complexity"`
	Categories string      `json:"categories"`
	Replies    []ReplyHelp `json:"replies"`
	Deprecated string      `json:"deprecated,omitempty"` // since when, and what to use instead
}

// ReplyHelp says what a reply means.
type ReplyHelp struct {
	Reply   string `json:"reply"`
	Meaning string `json:"meaning"`
}
