package web

import (
	"net/http"
	"strings"

	"lockstep/engine"
	"lockstep/engine/redis"
	"lockstep/views"
)

// consoleLane is the client whose commands are typed into the console.
const consoleLane = "CLI"

// consoleData is what the script of the console begins with: the help for every
// command that may be typed.
func consoleData(l views.Language) views.ConsoleData {
	data := views.ConsoleData{
		Lane:  consoleLane,
		Words: map[string]string{"unknown": l.Say("console.unknown"), "quotes": l.Say("console.quotes")},
	}
	for _, name := range redis.Commands() {
		if h, ok := redis.HelpOf(name); ok {
			data.Commands = append(data.Commands, commandHelp(h, l))
		}
	}
	return data
}

func commandHelp(h redis.Help, l views.Language) views.CommandHelp {
	in := func(t redis.Text) string {
		if l == views.Chinese {
			return t.Chinese
		}
		return t.English
	}
	help := views.CommandHelp{
		Name: h.Command, Syntax: h.Syntax, Forms: h.Forms(), Summary: in(h.Summary), Since: h.Since,
		Complexity: h.Complexity, Categories: strings.Join(h.Categories, " "),
	}
	switch of := in(h.Of); {
	case h.Complexity == "":
		help.Complexity = of
	case of != "":
		help.Complexity = l.Say("console.complete", h.Complexity, of)
	}
	for _, reply := range h.Replies {
		help.Replies = append(help.Replies, views.ReplyHelp{Reply: reply.Reply, Meaning: in(reply.Text)})
	}
	if h.Deprecated != "" {
		help.Deprecated = l.Say("console.deprecated", h.Deprecated, h.Instead)
	}
	return help
}

// console is what has been typed into the run, with the replies.
func console(w *engine.World) views.Console {
	c := views.Console{Lane: consoleLane}
	for _, e := range w.Events() {
		if e.Kind == engine.Receive && e.Lane == consoleLane {
			c.Entries = append(c.Entries, views.ConsoleEntry{
				Seq: e.Seq, Command: e.Call.Label(), Lines: e.Execution.Reply.Lines(), Error: e.Execution.Reply.Err() != "",
			})
		}
	}
	return c
}

// typed is a command of the console as scenario text: redis-cli's quotes become
// those of a scenario.
func typed(action, command string) (string, error) {
	words, refusal := redis.Split(command)
	if refusal != nil {
		return "", refusal
	}
	return action + " " + redis.Quote(words), nil
}

// help is the page that tells how to read the picture, and the keys.
func (s *Server) help(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	s.render(w, r, http.StatusOK, views.HelpPage(s.siteFor(r)))
}
