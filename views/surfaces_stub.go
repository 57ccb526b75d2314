package views

import "github.com/a-h/templ"

func PresenterRoom(r Room) templ.Component { return templ.NopComponent }
func FollowerRoom(r Room) templ.Component  { return templ.NopComponent }
