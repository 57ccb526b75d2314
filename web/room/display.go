package room

import "lockstep/engine/lang"

// The verbs of the run that everybody sees.
const (
	VerbShow   Verb = "show"   // Run, Task, From: another one, looked at from its end; From is the run that a branch goes on from; lanes and poll are over
	VerbDrive  Verb = "drive"  // Seat: the driver from now on; 0: the presenter
	VerbCursor Verb = "cursor" // At: the position that the driver looks at; End: whichever is last
	VerbGather Verb = "gather" // everybody comes back to where the driver is
	VerbBlack  Verb = "black"  // On: the screens show nothing
)

var displayVerbs = []verb{
	{
		name: VerbShow, who: mayShow,
		possible: canShow,
		apply:    (*Room).show,
		from:     fromDriver,
		last:     calms,
		bytes:    func(e Entry) int { return e.Verdict.size() },
		begins:   true,
		wide:     true,
	},
	{
		name: VerbDrive, who: mayDrive,
		possible: canDrive,
		apply:    func(r *Room, e Entry) { r.driver, r.turn = e.Seat, 0 },
		read:     func(_ Who, f Form) Entry { return Entry{Seat: f.Number("seat")} },
		last:     calms,
		control:  bare,
	},
	{
		name: VerbCursor, who: onlyDriver,
		possible: canCursor,
		apply:    func(r *Room, e Entry) { r.cursor = e.At },
		read:     func(_ Who, f Form) Entry { return Entry{At: f.Number("at")} },
		from:     fromDriver,
		control:  func(r *Room, _ Who) Entry { return Entry{At: r.cursor} },
	},
	{
		name: VerbGather, who: onlyPresenter,
		apply:   func(r *Room, _ Entry) { r.gathered++ },
		read:    readNothing,
		control: bare,
	},
	{
		name: VerbBlack, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return same(e.On == r.black) },
		apply:    func(r *Room, e Entry) { r.black = e.On },
		read:     readOn,
		last:     calms,
		control:  func(r *Room, _ Who) Entry { return Entry{On: !r.black} },
	},
}

// A display is the run that everybody sees, and who moves it.
type display struct {
	run      string
	base     string // the room's own run that it showed last
	cursor   int
	driver   int // a seat, or 0: the presenter
	turn     int // entries of the driver since the handover
	gathered int
	black    bool
	verdict  *Verdict // about the run that is shown; nil: none
}

// Run returns the run that everybody sees.
func (d *display) Run() string { return d.run }

// Base returns the run that the room goes back to after a look at a sandbox.
func (d *display) Base() string { return d.base }

// Cursor returns the position that the driver looks at, or End.
func (d *display) Cursor() int { return d.cursor }

// Driver returns the seat that drives; 0: the presenter.
func (d *display) Driver() int { return d.driver }

// drives reports whether somebody is the driver.
func (d *display) drives(who Who) bool {
	if d.driver == 0 {
		return who.Presenter
	}
	return who.Seat == d.driver
}

// mayShow lets the presenter show any run. The driver opens branches, and does not show another seat's sandbox. Another run would drop
// an open prediction, which the presenter leads.
func mayShow(r *Room, who Who, e Entry) error {
	switch owner := r.sandboxes[e.Run]; {
	case who.Presenter:
		return nil
	case e.Verdict != nil:
		return ErrPresenterOnly
	case !r.drives(who):
		return ErrDriverOnly
	case r.frozen():
		return ErrFrozen
	case owner != 0 && owner != who.Seat:
		return ErrPresenterOnly
	}
	return nil
}

func canShow(r *Room, e Entry) error {
	if !e.Verdict.isFormed() || !isShort(e.Run, maxID) {
		return ErrMalformed
	}
	if owner, own := r.sandboxes[e.Run]; own && r.seat(owner) == nil {
		return ErrNoSeat
	}
	return same(e.Run == r.run)
}

// show shows everybody a run from its end. Lanes and poll belonged to another run and end.
func (r *Room) show(e Entry) {
	r.drop()
	r.run, r.cursor, r.verdict = e.Run, End, e.Verdict
	if r.sandboxes[e.Run] == 0 {
		r.base = e.Run
		r.keepShown(e.Run, e.Task, e.From)
	}
	r.deal(nil, 0)
}

// mayDrive lets the presenter hand over control, and the driver give it back.
func mayDrive(r *Room, who Who, e Entry) error {
	givesBack := who.Seat != 0 && who.Seat == r.driver && e.Seat == 0
	if givesBack {
		return nil
	}
	return onlyPresenter(r, who, e)
}

func canDrive(r *Room, e Entry) error {
	if e.Seat != 0 && r.seat(e.Seat) == nil {
		return ErrNoSeat
	}
	return same(e.Seat == r.driver)
}

func canCursor(r *Room, e Entry) error {
	if !isPosition(e.At) {
		return ErrMalformed
	}
	return same(e.At == r.cursor)
}

func isPosition(at int) bool { return at >= End && at <= maxAt }

// A Verdict is what the explorer has found about the program of the run that the room is shown. Where a lock holds there is
// no run to show but one in which everybody can try what the explorer has tried.
type Verdict struct {
	Stamp lang.Text `json:"stamp"` // in a word or two
	Says  lang.Text `json:"says"`  // in a sentence, with the bounds
}

// size returns how many bytes of text a verdict has.
func (v *Verdict) size() int {
	if v == nil {
		return 0
	}
	return len(v.Stamp.English) + len(v.Stamp.Chinese) + len(v.Says.English) + len(v.Says.Chinese)
}

func (v *Verdict) isFormed() bool {
	return v == nil || isText(v.Stamp) && len(v.Stamp.English) <= maxTitle && len(v.Stamp.Chinese) <= maxTitle && isText(v.Says)
}
