package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// JSON is a lockstep.trace as one object.
var JSON = Format{
	Name: "json", Extension: "json", MediaType: "application/json",
	Title:   lang.Both("Everything, .json", "全部内容 .json"),
	Purpose: lang.Both("Everything about the run in one object, for programs of your own.", "运行的全部内容，一个 JSON 对象，供你自己的程序读取。"),
	Write:   buffered(writeJSON),
}

// A header is a lockstep.trace without its events. The package comment describes the fields.
type header struct {
	Format   string         `json:"format"`
	Version  int            `json:"version"`
	Scenario string         `json:"scenario"`
	Meta     meta           `json:"meta"`
	Program  string         `json:"program,omitempty"`
	Options  engine.Options `json:"options"`
	Nodes    int            `json:"nodes"`
	Within   engine.Time    `json:"within,omitempty"`
	Programs []source       `json:"programs"`
	Actions  []string       `json:"actions"`
	Lanes    []lane         `json:"lanes"`
}

type meta struct {
	Generator string      `json:"generator"`
	Start     engine.Time `json:"start"`
	TimeUnit  string      `json:"timeUnit"`
	Began     engine.Wall `json:"began,omitempty"`
}

type source struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Own    bool   `json:"own"`
}

type lane struct {
	Name    string          `json:"name"`
	Kind    string          `json:"kind"`
	Program string          `json:"program,omitempty"`
	Options *engine.Options `json:"options,omitempty"`
	Label   string          `json:"label,omitempty"`
}

func headerOf(t *engine.Trace) header {
	w := t.Run.World()
	h := header{
		Format: "lockstep.trace", Version: 1, Scenario: t.Scenario.String(), Meta: meta{"lockstep", engine.Start, "ms", t.Scenario.Began},
		Program: t.Scenario.Program, Options: t.Scenario.Options, Nodes: len(w.Nodes()), Within: t.Scenario.Within, Programs: []source{}, Actions: []string{},
	}
	add := func(p *program.Program, own bool) {
		if !slices.ContainsFunc(h.Programs, func(s source) bool { return s.Name == p.Name }) {
			h.Programs = append(h.Programs, source{p.Name, p.Source, own})
		}
	}
	for _, p := range t.Scenario.Own {
		add(p, true)
	}
	for _, a := range t.Run.Actions() {
		h.Actions = append(h.Actions, a.String())
	}
	for _, c := range w.Clients() {
		l := lane{Name: c.Name, Kind: "client", Label: w.Label(c.Name)}
		if c.Program != nil {
			add(c.Program, false)
			l.Program, l.Options = c.Program.Name, &c.Options
		}
		h.Lanes = append(h.Lanes, l)
	}
	for _, name := range w.Nodes() {
		h.Lanes = append(h.Lanes, lane{Name: name, Kind: "redis"})
	}
	if w.UsesStorage() {
		h.Lanes = append(h.Lanes, lane{Name: engine.Storage, Kind: "storage"})
	}
	return h
}

// writeJSON puts the NDJSON into brackets. An event stays on one line, for readable diffs.
func writeJSON(out *bufio.Writer, t *engine.Trace) {
	out.Write(bytes.TrimSuffix(encode(headerOf(t)), []byte("}")))
	out.WriteString(`,"events":[`)
	separator := "\n"
	for _, event := range encodeEvents(t) {
		out.WriteString(separator)
		out.Write(event)
		separator = ",\n"
	}
	out.WriteString("\n]}\n")
}

// encodeEvents writes the events as the engine writes them, with their clocks.
func encodeEvents(t *engine.Trace) [][]byte {
	events := t.Run.World().Events()
	stamps := clocks(events)
	lines := make([][]byte, len(events))
	for i, e := range events {
		line := append(bytes.TrimSuffix(encode(e), []byte("}")), `,"clock":`...)
		lines[i] = append(append(line, encode(stamps[i])...), '}')
	}
	return lines
}

// encode leaves <, > and & as they are: this is not HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(fmt.Errorf("encoding a trace: %w", err)) // plain values
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
