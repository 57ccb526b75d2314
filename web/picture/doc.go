// Package picture draws the picture of a link: what a chat shows where somebody pastes one. It is pure: the same card
// gives the same bytes.
//
// No rule of the timeline stands here. The pure half of static/js/timeline lays the run out, in an interpreter (layout.go),
// and static/css says how each shape looks (style.go). This package knows how to fill and stroke (pen.go), to write
// (text.go) and where on the card each part stands (card.go).
package picture
