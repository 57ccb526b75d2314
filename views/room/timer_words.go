package room

import "lockstep/views"

// timerWords holds the texts of the timer of a round or an exercise.
var timerWords = views.Words{
	"timer":           {"Timer", "倒计时"},
	"timer.begin":     {"Timer: 1\u00a0min", "倒计时 1\u00a0分钟"},
	"timer.more":      {"+1 min", "+1 分钟"},
	"timer.more.long": {"One more minute, which everybody sees. Nothing closes when the time is up: you decide.", "再给大家一分钟，所有人都能看到。时间到了什么也不会自动结束，由你决定。"},
	"timer.stop":      {"Stop", "取消"},
	"timer.stop.long": {"Take the timer away", "取消倒计时"},
	"timer.up":        {"Time is up", "时间到"},
	"timer.loaded":    {"%s left when this page was loaded", "本页加载时还剩 %s"},
}
