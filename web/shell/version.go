package shell

import (
	"runtime/debug"
	"strings"
)

// Version returns what Go knows about a build: the tag of a release, and the commit of a local build with its date.
func Version(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	commit := set["vcs.revision"]
	if commit == "" {
		return info.Main.Version
	}
	day, _, _ := strings.Cut(set["vcs.time"], "T")
	said := info.Main.Version + ", commit " + commit[:min(12, len(commit))] + " of " + day
	if set["vcs.modified"] == "true" {
		said += ", with changes that are not committed"
	}
	return said
}
