package views

import "github.com/a-h/templ"

func ScreenPanels(p Page) []Panel              { return []Panel{{ID: "caption", Content: Caption(p)}, {ID: "alerts", Content: Alerts(p)}} }
func PhonePanels(p Page, lane string) []Panel  { return []Panel{{ID: "caption", Content: Caption(p)}, {ID: "alerts", Content: Alerts(p)}} }
func RemotePanels(p Page) []Panel              { return ScreenPanels(p) }
func ScreenRoom(r Room) templ.Component        { return templ.NopComponent }
func PhoneRoom(r Room) templ.Component         { return templ.NopComponent }
func RemoteRoom(r Room) templ.Component        { return templ.NopComponent }
func WallRoom(r Room) templ.Component          { return templ.NopComponent }
func JoinPage(r Room) templ.Component          { return templ.NopComponent }
func PhonePage(r Room, p Page) templ.Component { return templ.NopComponent }
func RemotePage(r Room, p Page) templ.Component { return templ.NopComponent }
func ScreenPage(r Room, p Page) templ.Component { return templ.NopComponent }
func WallPage(r Room) templ.Component          { return templ.NopComponent }
func NoRoomPage(s Site, code, sentence string) templ.Component { return templ.NopComponent }
func PairPage(r Room, link string) templ.Component { return templ.NopComponent }
