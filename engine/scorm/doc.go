// Package scorm packs a course for a learning platform: a SCORM 1.2 package, a zip that any platform takes.
//
//	course, address of a server → zip
//
// The package holds no lesson. Each of its pages frames the page of a lesson on a server of Lockstep, which has to allow that
// (serve --embed-from), and reports to the platform what that page says about the reader's progress. web/PROTOCOL.md describes
// these messages; runtime.js reads them.
//
// A lesson is one learning object (SCO). It is completed when its reader has come to its last moment and has answered each of
// its predictions, and its score is the share of right answers, in percent. A bug report that begins with a challenge is
// completed when all of its challenges are solved.
package scorm
