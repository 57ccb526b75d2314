package present

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/redis"
	"lockstep/views"
	runview "lockstep/views/run"
)

// ConsoleLane is the client that types the console's commands.
const ConsoleLane = "CLI"

// ConsoleData returns what the console's script asks for: the help for each command that a reader may type.
func ConsoleData(l lang.Language) runview.ConsoleData {
	data := runview.ConsoleData{
		Lane:  ConsoleLane,
		Words: map[string]string{"unknown": views.Say(l, "console.unknown"), "quotes": views.Say(l, "console.quotes")},
	}
	for _, name := range redis.Commands() {
		if h, ok := redis.HelpOf(name); ok {
			data.Commands = append(data.Commands, commandHelp(h, l))
		}
	}
	return data
}

func commandHelp(h redis.Help, l lang.Language) runview.CommandHelp {
	in := func(t lang.Text) string { return t.In(l) }
	help := runview.CommandHelp{
		Name: h.Command, Syntax: h.Syntax, Forms: h.Forms(), Summary: in(h.Summary), Since: h.Since,
		Complexity: h.Complexity, Categories: strings.Join(h.Categories, " "),
	}
	switch of := in(h.Of); {
	case h.Complexity == "":
		help.Complexity = of
	case of != "":
		help.Complexity = views.Say(l, "console.complete", h.Complexity, of)
	}
	for _, reply := range h.Replies {
		help.Replies = append(help.Replies, runview.ReplyHelp{Reply: reply.Reply, Meaning: in(reply.Text)})
	}
	if h.Deprecated != "" {
		help.Deprecated = views.Say(l, "console.deprecated", h.Deprecated, h.Instead)
	}
	return help
}

// console returns the last commands that somebody typed into the run, with their replies. The console's script shows
// the rest.
func console(w *engine.World) runview.Console {
	c := runview.Console{Lane: ConsoleLane}
	left := consoleSize
	for _, e := range slices.Backward(w.Events()) {
		if e.Kind != engine.Receive || e.Lane != ConsoleLane {
			continue
		}
		entry := runview.ConsoleEntry{
			Seq: e.Seq, Command: shorten(e.Call.Label(), sentenceShown), Error: e.Execution.Reply.Err() != "",
			Lines: strings.Split(shorten(strings.Join(e.Execution.Reply.Lines(), "\n"), sentenceShown), "\n"),
		}
		if left -= entrySize + escaped(entry.Command) + escaped(strings.Join(entry.Lines, "\n")); left < 0 {
			break
		}
		c.Entries = append(c.Entries, entry)
	}
	slices.Reverse(c.Entries)
	return c
}

// These bound the console on the page, in bytes of HTML.
const (
	consoleSize = 12 << 10
	entrySize   = 240 // of an entry, without its texts
)

// typed returns a command of the console as scenario text: it turns redis-cli's quotes into those of a scenario.
func typed(action, command string) (string, error) {
	words, refusal := redis.Split(command)
	if refusal != nil {
		return "", refusal
	}
	return action + " " + redis.Quote(words), nil
}
