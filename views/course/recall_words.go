package course

import "lockstep/views"

// recallWords holds the texts of questions that come back.
var recallWords = views.Words{
	"recall.again":   {"A question comes back", "回顾题"},
	"recall.title":   {"A question about: %s", "回顾题：%s"},
	"recall.ask":     {"One question from earlier", "回顾一道学过的题"},
	"recall.missed":  {"Another one that you missed", "再来一道没答对的"},
	"recall.outcome": {"The outcome", "结果"},
	"recall.return":  {"Back to the course", "回到课程目录"},
	"recall.back":    {"Back to where you were", "回到刚才的地方"},
	"recall.about":   {"This question is about", "这道题出自"},
	"recall.wait":    {"{n} questions wait: you missed them earlier.", "有 {n} 道题之前没答对，等你再试。"},
	"recall.wait-1":  {"One question waits: you missed it earlier.", "有一道题之前没答对，等你再试。"},
	"recall.now":     {"Answer it now", "现在就做"},
}
