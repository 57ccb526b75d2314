package course

import "lockstep/views"

// answerWords holds the texts of a prediction and its answers, wherever they are shown.
var answerWords = views.Words{
	"answer.says":          {": ", "："}, // between the letter and the answer
	"answer.misconception": {"Misconception:", "误解："},
	"answer.is":            {"The answer is", "答案是"},
	"answer.right":         {"Right.", "正确。"},
	"answer.wrong":         {"Not this time.", "这次不对。"},
	"task.place":           {"%d / %d", "%d / %d"},
	"task.predict":         {"What happens next?", "接下来会发生什么？"},
	"task.not-sure":        {"Not sure", "不确定"},
}
