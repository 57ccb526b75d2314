package roompages

import (
	"github.com/go-chi/chi/v5"

	roomview "lockstep/views/room"
	"lockstep/web/room"
)

// Routes adds the pages of rooms.
func (p *Pages) Routes(r chi.Router) {
	r.With(p.Making).Post("/rooms", p.handleOpenRoom)
	r.Get("/rooms", p.HandleNoForm)
	r.Get("/join", p.handleJoin)
	r.Route("/r/{code:[0-9]{6}}", func(r chi.Router) {
		r.Get("/", p.handleRoomPage(anybody, atEnd, participantPage))
		r.With(p.Making).Post("/seats", p.in(p.handleSeat))
		r.Get("/screen", p.handleRoomPage(anybody, (*room.Room).Cursor, roomview.ScreenPage))
		r.Get("/start", p.in(p.handleStart))
		r.Get("/single", p.handleRoomPage(presents, (*room.Room).Cursor, roomview.SinglePage))
		r.Get("/present", p.in(p.handlePresent))
		r.Get("/run", p.in(p.handleRoomRun))
		r.Get("/remote", p.in(p.handleRemote))
		r.Post("/remote", p.in(p.handlePairing))
		r.With(p.Making).Post("/remotes", p.in(p.handleOfferRemote))
		r.Get("/results", p.results(p.handleResults))
		r.Get("/results.json", p.results(p.handleResultsJSON))
		r.Get("/results.csv", p.results(p.handleResultsCSV))
		r.Get("/home", p.in(p.handleHome))
		r.Get("/handout.html", p.in(p.handleRoomHandout))
		r.Get("/wall", p.handleRoomPage(presents, (*room.Room).Cursor, wallPage))
		r.Post("/do", p.in(p.handleDo))
		r.Post("/forget", p.in(p.handleForget))
		for _, form := range []string{"/seats", "/remotes", "/do", "/forget"} {
			r.Get(form, p.HandleNoForm)
		}
	})
}
