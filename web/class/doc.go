// Package class keeps rooms in memory, the viewers who are in them, and the rules by which they act on runs.
//
// A Room is a room of package room with its viewers here and the presences of other servers.
//
//	log ──fold──▶ Room ──present──▶ panels ──Frame──▶ Viewer
//
// [Rooms.Press] asks the room of a run what a person may do before the run takes its lock (access.go). A form of a room's pages
// becomes an entry (command.go). A viewer's requests arrive in request.go.
//
// Rooms has those that are in memory, in a hub, and the Runs that they show. Ask runs a function of a room under its lock.
//
// Room has more than 40 methods: entries, votes, timers and viewers change one state under one lock.
package class
