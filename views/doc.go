// Package views turns view models into markup.
//
// A view model says what a page shows, in plain words and values: which buttons
// there are and why one is refused, never how that was found out. The package
// therefore knows nothing of the engine; package web makes the models from it.
//
// The page is made of panels, the elements that change when a run does. Each
// has an id, and the server sends a panel again, rendered by the same template,
// when its content has changed. Every text comes from the catalogue in words.go,
// which has both languages side by side.
package views

//go:generate go tool templ generate
