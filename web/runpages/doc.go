// Package runpages has the pages of runs and of links to them: a file for each page or form, and routes.go for their addresses.
//
// A handler is named handleX. It reads the request, asks package class or search, lets package present make the view model, and
// renders it.
package runpages
