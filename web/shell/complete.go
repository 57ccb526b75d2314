package shell

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A candidate is a word that may come next.
type candidate struct{ word, help string }

// candidates lists the words that may stand in the place of the last one, which is unfinished; nothing: any word may, such as the
// name of a file.
func (s *Shell) candidates(words []string) []candidate {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "=" }) // bash makes three words of --to=json
	if len(words) == 0 {
		words = []string{""}
	}
	node, known := s.Model.Node, s.flagsOf(s.Model.Node)
	var waiting *kong.Flag // whose value comes next
	place := 0             // of the next argument
	for _, w := range words[:len(words)-1] {
		switch {
		case w == "--": // the command of somebody else follows
			return nil
		case waiting != nil:
			waiting = nil
		case strings.HasPrefix(w, "-"):
			name, _, given := strings.Cut(w, "=")
			if f := known[name]; f != nil && !given && !f.IsBool() {
				waiting = f
			}
		default:
			at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == w })
			if at < 0 {
				place++
				continue
			}
			node = node.Children[at]
			known = s.flagsOf(node)
		}
	}
	last := words[len(words)-1]
	if name, begun, ok := strings.Cut(last, "="); ok && known[name] != nil {
		return s.values(known[name].Value, name+"=", begun)
	}
	switch {
	case waiting != nil:
		return s.values(waiting.Value, "", last)
	case strings.HasPrefix(last, "-"):
		return beginning(s.flagCandidates(node), last)
	case node == s.Model.Node:
		var commands []candidate
		for _, c := range node.Children {
			if !c.Hidden {
				commands = append(commands, candidate{c.Name, c.Help})
			}
		}
		return beginning(commands, last)
	case node.Name == "help" && place == 0:
		return s.candidates([]string{last})
	case place < len(node.Positional):
		return s.values(node.Positional[place], "", last)
	}
	return nil
}

// flagsOf returns the flags that may stand behind a command, as one types them.
func (s *Shell) flagsOf(node *kong.Node) map[string]*kong.Flag {
	if node == s.Model.Node {
		node = s.Model.DefaultCmd
	}
	known := map[string]*kong.Flag{}
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			known["--"+f.Name] = f
			if f.Short != 0 {
				known["-"+string(f.Short)] = f
			}
		}
	}
	return known
}

func (s *Shell) flagCandidates(node *kong.Node) []candidate {
	var all []candidate
	for name, f := range s.flagsOf(node) {
		if strings.HasPrefix(name, "--") {
			all = append(all, candidate{name, f.Help})
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return strings.Compare(a.word, b.word) })
	return all
}

// values lists the words that a flag or an argument takes.
func (s *Shell) values(v *kong.Value, before, begun string) []candidate {
	list := v.Enum
	if list == "" {
		list = s.expand(v.Tag.Get("complete"), v)
	}
	if list == "" {
		return nil
	}
	var all []candidate
	for word := range strings.SplitSeq(list, ",") {
		all = append(all, candidate{before + word, ""})
	}
	return beginning(all, before+begun)
}

func beginning(all []candidate, with string) []candidate {
	return slices.DeleteFunc(all, func(c candidate) bool { return !strings.HasPrefix(c.word, with) })
}

// completions are the scripts, by the name of their shell. Each asks the program itself, and offers files where it says nothing.
var completions = map[string]string{
	"bash": `# bash completion for lockstep
_lockstep() {
    local word
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        COMPREPLY+=("$word")
    done < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _lockstep lockstep
`,
	"zsh": `#compdef lockstep
_lockstep() {
    local -a found
    local word help
    while IFS=$'\t' read -r word help; do
        found+=("${word//:/\\:}:$help")
    done < <("${words[1]/#\~/$HOME}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    if (( ${#found} )); then
        _describe lockstep found
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _lockstep ]]; then
    _lockstep "$@"
else
    compdef _lockstep lockstep
fi
`,
	"fish": `# fish completion for lockstep
function __lockstep_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l found ($words[1] complete -- $words[2..-1] "$last" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$last"
    end
end
complete -c lockstep -f -a '(__lockstep_complete)'
`,
}
