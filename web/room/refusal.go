package room

import "lockstep/engine/lang"

// A Refusal says why somebody may not append an entry, act or look. Its text is a key of the site's catalogue.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Fault says it with the site's words.
func (r Refusal) Fault() lang.Fault { return lang.Fault{Key: string(r)} }

// The refusals of a room.
const (
	// The room.
	ErrUnopened  Refusal = "room.unopened"  // there is no such room: its first entry must open it
	ErrOpened    Refusal = "room.opened"    // the code is in use
	ErrOver      Refusal = "room.over"      // the room has ended
	ErrLong      Refusal = "room.long"      // the log has MaxEntries entries, or MaxSeated from the seats; verbs that end the room still fit
	ErrBusy      Refusal = "room.busy"      // the seat has reached a bound of its own: MaxSeatEntries, MaxVotes, MaxNames, MaxClaims or MaxTurn
	ErrMalformed Refusal = "room.malformed" // a field has a value that no page sends
	ErrSame      Refusal = "room.same"      // nothing to change: a no-op succeeds

	// Who may.
	ErrPresenterOnly Refusal = "room.presenter-only" // only the presenter may do that
	ErrDriverOnly    Refusal = "room.driver-only"    // somebody else drives
	ErrSeatOnly      Refusal = "room.seat-only"      // only a seat may do that: join first
	ErrNotYours      Refusal = "room.not-yours"      // the client, sandbox, name or vote is somebody else's
	ErrNetworkOnly   Refusal = "room.network-only"   // a seat with a lane does not vote as the network

	// Seats, keys and names.
	ErrJoined    Refusal = "room.joined"     // they are in the room already
	ErrFull      Refusal = "room.full"       // all MaxSeats seats are taken, or MaxJoined were
	ErrLocked    Refusal = "room.locked"     // the presenter has locked the room
	ErrKey       Refusal = "room.key"        // the key is known already
	ErrKeys      Refusal = "room.keys"       // the presenter has MaxKeys keys
	ErrRevoked   Refusal = "room.revoked"    // the presenter has revoked the remote, or the link that would make one
	ErrNoSeat    Refusal = "room.no-seat"    // nobody sits there
	ErrNameOff   Refusal = "room.name-off"   // names of one's own are switched off
	ErrName      Refusal = "room.name"       // a name has 1 to MaxName letters
	ErrNameTaken Refusal = "room.name-taken" // somebody has that name, or could get it
	ErrRosterOff Refusal = "room.roster-off" // the roster is switched off
	ErrRoster    Refusal = "room.roster"     // an entry in the roster has at most MaxRoster letters

	// Lanes.
	ErrLanes  Refusal = "room.lanes"   // 1 to MaxLanes clients, each once
	ErrNoLane Refusal = "room.no-lane" // that lane is not there

	// Polls.
	ErrPollOpen   Refusal = "room.poll-open"   // the open poll has not been revealed
	ErrNoPoll     Refusal = "room.no-poll"     // no poll is open
	ErrPollClosed Refusal = "room.poll-closed" // no round is open
	ErrPollOver   Refusal = "room.poll-over"   // there is no further round
	ErrRevealed   Refusal = "room.revealed"    // the answer is known
	ErrChoice     Refusal = "room.choice"      // the poll has no such choice
	ErrWords      Refusal = "room.words"       // a question of the presenter's own is without words, or with too many
	ErrFrozen     Refusal = "room.frozen"      // an open prediction holds the run

	// Sandboxes.
	ErrNoExercise Refusal = "room.no-exercise" // everybody is at the room's run
	ErrOwned      Refusal = "room.owned"       // the seat has another sandbox already
	ErrNoSandbox  Refusal = "room.no-sandbox"  // the seat has none yet

	// The timer.
	ErrNoTimer Refusal = "room.no-timer" // nothing is open that a timer could be for
	ErrTimer   Refusal = "room.timer"    // the timer would end after more than MaxTimer minutes

	// Tests.
	ErrNoTest Refusal = "room.no-test" // no such form is open
	ErrHanded Refusal = "room.handed"  // the seat has handed in its answers

	// The playlist.
	ErrPlan   Refusal = "room.plan"    // a playlist has at most MaxPlan items
	ErrNoItem Refusal = "room.no-item" // the playlist has no such item

	// Runs.
	ErrNotShown Refusal = "room.not-shown" // the room shows another run
)

// Refusals lists them all: a test makes sure that the catalogue has a sentence for each.
var Refusals = []Refusal{
	ErrUnopened, ErrOpened, ErrOver, ErrLong, ErrBusy, ErrMalformed, ErrSame,
	ErrPresenterOnly, ErrDriverOnly, ErrSeatOnly, ErrNotYours, ErrNetworkOnly,
	ErrJoined, ErrFull, ErrLocked, ErrKey, ErrKeys, ErrRevoked, ErrNoSeat, ErrNameOff, ErrName, ErrNameTaken, ErrRosterOff, ErrRoster,
	ErrLanes, ErrNoLane,
	ErrPollOpen, ErrNoPoll, ErrPollClosed, ErrPollOver, ErrRevealed, ErrChoice, ErrWords, ErrFrozen,
	ErrNoExercise, ErrOwned, ErrNoSandbox,
	ErrNoTimer, ErrTimer,
	ErrNoTest, ErrHanded,
	ErrPlan, ErrNoItem,
	ErrNotShown,
}
