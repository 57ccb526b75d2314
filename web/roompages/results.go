package roompages

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"

	roomview "lockstep/views/room"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/present"
	"lockstep/web/room"
)

// results returns a handler for what a class has answered and done, which the presenter reads during the class and after it.
func (p *Pages) results(answer func(http.ResponseWriter, *http.Request, present.ClassResults)) http.HandlerFunc {
	return p.in(func(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
		if !h.Who(key).Presenter {
			p.Refuse(w, r, h.NotPresenter(key))
			return
		}
		all := class.Ask(h, func(in *room.Room) present.ClassResults {
			return present.ResultsOf(in, p.Rooms.Courses(), p.Rooms.Course(in.Tested()))
		})
		answer(w, r, all)
	})
}

// handleResults answers with the page of a class's results.
func (p *Pages) handleResults(w http.ResponseWriter, r *http.Request, all present.ClassResults) {
	p.Render(w, r, http.StatusOK, roomview.ResultsPage(all.Page(p.SiteFor(r))))
}

// handleResultsJSON answers with the same for a program, in both languages.
func (p *Pages) handleResultsJSON(w http.ResponseWriter, r *http.Request, all present.ClassResults) {
	p.file(w, r, "application/json", "results-"+all.Room+".json", func(b *bytes.Buffer) error {
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(all)
	})
}

// byteOrder begins a table: without it, Excel reads UTF-8 as the letters of the reader's country, and Chinese as none.
const byteOrder = "\ufeff"

// handleResultsCSV answers with one table of the same, for a spreadsheet.
func (p *Pages) handleResultsCSV(w http.ResponseWriter, r *http.Request, all present.ClassResults) {
	p.file(w, r, "text/csv; charset=utf-8", "results-"+all.Room+".csv", func(b *bytes.Buffer) error {
		b.WriteString(byteOrder)
		table := csv.NewWriter(b)
		table.UseCRLF = true
		return table.WriteAll(all.Table(door.Language(r)))
	})
}

// file answers with a file of a room's, which no cache keeps.
func (p *Pages) file(w http.ResponseWriter, r *http.Request, mediaType, name string, write func(*bytes.Buffer) error) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", `attachment; filename="lockstep-`+name+`"`)
	h.Set("Cache-Control", "no-store")
	p.Answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		if err := write(b); err != nil {
			panic(fmt.Errorf("writing a room's file: %w", err)) // writing to memory does not fail
		}
	})
}
