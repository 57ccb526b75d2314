package views

// authorWords holds what a page tells somebody who writes its course.
var authorWords = Words{
	"author.label":    {"For the author of this course", "写给课程作者"},
	"author.mistake":  {"One mistake in the course's files", "课程文件里有一处错误"},
	"author.mistakes": {"%d mistakes in the course's files", "课程文件里有 %d 处错误"},
	"author.warning":  {"One warning", "一条警告"},
	"author.warnings": {"%d warnings", "%d 条警告"},
	"author.save":     {"This page loads again as soon as you save a file.", "保存文件后，本页会自动重新加载。"},
	"author.left-out": {"The course leaves this lesson out until its mistakes are gone.", "这一课有错误，改好之前不会出现在课程里。"},
}
