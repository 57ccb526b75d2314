package run

import "lockstep/views"

// answerWords holds the texts of answers, wherever they stand.
var answerWords = views.Words{
	"answer.says":          {": ", "："}, // between the letter and the answer
	"answer.misconception": {"Misconception:", "误解："},
	"answer.is":            {"The answer is", "答案是"},
	"answer.right":         {"Right.", "正确。"},
	"answer.wrong":         {"Not this time.", "这次不对。"},
}
