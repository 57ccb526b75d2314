// Package testtools finds and starts the programs that tests need beside Go: a real redis-server, SPIN, Node, a browser.
// It also holds the lock programs that the tests of several packages run, and says in how many looks a test sees a page.
//
// A test whose program is not installed is skipped and says so. With CI=true it fails instead: no machine that decides
// about a change leaves a test out.
//
// Only tests import this package.
package testtools
