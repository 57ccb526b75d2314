package run

import "lockstep/views"

// consoleWords holds the texts around the commands of the console.
var consoleWords = views.Words{
	"console":             {"Console", "控制台"},
	"console.log":         {"Commands that you typed, and the replies of Redis", "已输入的命令与 Redis 的回复"},
	"console.command":     {"Redis command", "Redis 命令"},
	"console.run":         {"Run", "执行"},
	"console.list":        {"Commands", "命令"},
	"console.completions": {"Completions", "补全建议"},
	"console.try":         {"Type a command, such as", "输入一条命令，例如"},
	"console.keys":        {"Tab completes; ↑ and ↓ bring earlier lines back.", "按 Tab 补全，按 ↑ ↓ 找回之前输入的命令。"},
	"console.help":        {"Help for the command being typed", "当前命令的说明"},
	"console.since":       {"Since", "起始版本"},
	"console.complexity":  {"Complexity", "时间复杂度"},
	"console.categories":  {"ACL", "ACL 类别"},
	"console.replies":     {"Replies", "回复"},
	"console.deprecated":  {"Deprecated since Redis %s: new code uses %s.", "自 Redis %s 起已弃用，新代码应使用 %s。"},
	"console.complete":    {"%s %s", "%s，%s"},
	"console.unknown":     {"{command} is not a command that works here.", "这里没有 {command} 命令。"},
	"console.quotes":      {"A quotation mark is missing, or a space after one.", "缺少一个引号，或引号后缺少空格。"},
}
