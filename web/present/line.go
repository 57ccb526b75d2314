package present

import "strings"

// FormLine joins the fields of a form into a line of scenario text. The field action begins the line. The other
// fields add words and options.
func FormLine(action string, field func(name string) string) (string, error) {
	switch {
	case strings.HasPrefix(action, "spawn "):
		return spawnLine(action, field), nil
	case strings.HasPrefix(action, "do ") && field("command") != "":
		return typed(action, field("command"))
	}
	return action, nil
}

func spawnLine(line string, field func(name string) string) string {
	if name := field("program"); name != "" {
		line += " " + name
	}
	for _, option := range []string{"timeout", "retry", "acquire_timeout", "skew", "blocking"} {
		value := strings.TrimSpace(field(option))
		if value == "" {
			continue
		}
		if strings.Trim(value, "-.0123456789") == "" {
			value += "s" // a bare number counts seconds
		}
		line += " " + option + "=" + value
	}
	return line
}
