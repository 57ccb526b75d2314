package views

import "github.com/a-h/templ"

func ScreenPanels(p Page) []Panel {
	return []Panel{{ID: "caption", Content: Caption(p)}, {ID: "alerts", Content: Alerts(p)}}
}
func PresenterRoom(r Room) templ.Component      { return templ.NopComponent }
func FollowerRoom(r Room) templ.Component       { return templ.NopComponent }
func ScreenRoom(r Room) templ.Component         { return templ.NopComponent }
func WallRoom(r Room) templ.Component           { return templ.NopComponent }
func ScreenPage(r Room, p Page) templ.Component { return templ.NopComponent }
func WallPage(r Room) templ.Component           { return templ.NopComponent }
func ScreenPanels(p Page) []Panel              { return []Panel{{ID: "caption", Content: Caption(p)}, {ID: "alerts", Content: Alerts(p)}} }
func PresenterRoom(r Room) templ.Component     { return templ.NopComponent }
func FollowerRoom(r Room) templ.Component      { return templ.NopComponent }
func ScreenRoom(r Room) templ.Component        { return templ.NopComponent }
func WallRoom(r Room) templ.Component          { return templ.NopComponent }
func WallPage(r Room) templ.Component          { return templ.NopComponent }
func PairPage(r Room, link string) templ.Component { return templ.NopComponent }
func PresenterRoom(r Room) templ.Component              { return templ.NopComponent }
func FollowerRoom(r Room) templ.Component               { return templ.NopComponent }
func PairPage(r Room, link string) templ.Component      { return templ.NopComponent }
func AcceptPage(r Room, pairing string) templ.Component { return templ.NopComponent }
func (l Language) RoomWords() map[string]string         { return map[string]string{} }
