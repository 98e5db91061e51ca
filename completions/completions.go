// Package completions holds the completion scripts for shells. They are
// generated from the command tree by go generate and committed; nothing here
// is done at start-up.
package completions

import _ "embed"

//go:embed acptool.bash
var bash string

//go:embed _acptool
var zsh string

//go:embed acptool.fish
var fish string

// Script is the completion script of a shell, "" if there is none.
func Script(shell string) string {
	switch shell {
	case "bash":
		return bash
	case "zsh":
		return zsh
	case "fish":
		return fish
	}
	return ""
}

// Shells are those that Script knows.
func Shells() []string { return []string{"bash", "zsh", "fish"} }
