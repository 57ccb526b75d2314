// Package run has the page of a run, which is the playground, a lesson and a challenge.
//
// A [Page] holds everything that the page shows, at one position. The stage has the picture and, on each lane, what its
// client can do (lanes.templ); the card says what has happened (card.templ) and what the task asks (task.templ, guide.templ,
// challenge.templ); the drawers have the rest (drawers.templ, code.templ, console.templ). [Panels] lists what changes with
// the run. Around them are the ways to take a run elsewhere: share.templ, link.templ and player.templ, a run as one file.
package run
