package shell

import (
	"fmt"
	"io"
	"slices"

	"github.com/alecthomas/kong"

	"lockstep/engine/lang"
)

// About are the commands of the command line about itself.
type About struct {
	Help       helpCommand       `cmd:"" help:"Tell what a command does." zh:"说明一个命令的用途。"`
	Version    versionCommand    `cmd:"" name:"version" help:"Print the version." zh:"打印版本。"`
	Completion completionCommand `cmd:"" help:"Print what lets a shell complete commands and flags." zh:"打印让 shell 补全命令和选项的脚本。"`
	Man        manCommand        `cmd:"" help:"Print the manual page." zh:"打印手册页。"`
	Complete   completeCommand   `cmd:"" hidden:"" help:"List what may come next, for the scripts of completion." zh:"列出接下来可以输入的内容，供补全脚本使用。"`
}

type helpCommand struct {
	Command string `arg:"" optional:"" help:"Name of a command." zh:"命令名。"`
}

// Run prints the same as --help.
func (c *helpCommand) Run(s *Shell) error {
	node := s.Model.Node
	if c.Command != "" {
		at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == c.Command })
		if at < 0 {
			return s.errNoCommand(c.Command)
		}
		node = node.Children[at]
	}
	return s.print(s.page(node))
}

type versionCommand struct{}

// Run prints the same as --version.
func (versionCommand) Run(s *Shell) error { return s.print(s.vars["version"] + "\n") }

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"One of ${enum}." zh:"${enum} 之一。"`
}

// Explain tells how to install it.
func (completionCommand) Explain() lang.Text {
	return lang.Both(`Add this to what your shell reads when it starts:

  bash, ~/.bashrc                       source <(lockstep completion bash)
  zsh, ~/.zshrc, after compinit         source <(lockstep completion zsh)
  fish, ~/.config/fish/config.fish      lockstep completion fish | source`,
		`把这一行加到 shell 的启动文件里：

  bash，~/.bashrc                       source <(lockstep completion bash)
  zsh，~/.zshrc，在 compinit 之后       source <(lockstep completion zsh)
  fish，~/.config/fish/config.fish      lockstep completion fish | source`)
}

func (c *completionCommand) Run(s *Shell) error { return s.print(completions[c.Shell]) }

type manCommand struct{}

// Explain tells how to read it.
func (manCommand) Explain() lang.Text {
	return lang.Both("lockstep man | man -l - shows it. A package installs it as lockstep.1.", "用 lockstep man | man -l - 阅读；打包时安装为 lockstep.1。")
}

func (manCommand) Run(s *Shell) error { return s.print(s.manual()) }

type completeCommand struct {
	Words []string `arg:"" optional:"" help:"Words behind lockstep, the last of which is unfinished." zh:"lockstep 之后的各个词，最后一个尚未写完。"`
}

// Run prints a candidate a line, with its help after a tab. Nothing: a file may come next.
func (c *completeCommand) Run(s *Shell) error {
	for _, next := range s.candidates(c.Words) {
		if err := s.print(next.word + "\t" + next.help + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shell) print(text string) error {
	if _, err := io.WriteString(s.Stdout, text); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}
