package views

// settingsWords holds the texts of the settings menu.
var settingsWords = Words{
	"settings":       {"Settings", "设置"},
	"settings.apply": {"Apply", "应用"},

	"settings.theme":       {"Colours", "配色"},
	"settings.theme.auto":  {"as the system", "跟随系统"},
	"settings.theme.light": {"light", "浅色"},
	"settings.theme.dark":  {"dark", "深色"},

	"settings.mode":           {"Display", "显示模式"},
	"settings.mode.desk":      {"As usual", "常规"},
	"settings.mode.projector": {"Large type", "大字号"},

	"settings.scale": {"Size of text", "文字大小"},

	"settings.speed": {"Pictures move", "动画速度"},
	"settings.sound": {"Sound: hear each delivery, refusal, entry and violation", "声音：送达、被拒、进入临界区、违反性质各有一声"},

	"settings.speak":         {"Spoken by a screen reader", "屏幕阅读器播报"},
	"settings.speak.events":  {"every event", "每个事件"},
	"settings.speak.changes": {"changes only", "仅状态变化"},
	"settings.speak.off":     {"nothing", "不播报"},

	"settings.letters": {"Shortcuts of a single letter, digit or sign", "启用单键快捷键（字母、数字、符号）"},
}
