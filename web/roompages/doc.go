// Package roompages has the pages of rooms: entering, remotes, results, what a class takes home. routes.go has their addresses.
package roompages
