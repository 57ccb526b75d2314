package views

import "github.com/a-h/templ"

func PresenterRoom(r Room) templ.Component              { return templ.NopComponent }
func FollowerRoom(r Room) templ.Component               { return templ.NopComponent }
func PairPage(r Room, link string) templ.Component      { return templ.NopComponent }
func AcceptPage(r Room, pairing string) templ.Component { return templ.NopComponent }
func (l Language) RoomWords() map[string]string         { return map[string]string{} }
