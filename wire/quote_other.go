//go:build !windows

package wire

import "strings"

const alsoPlain = ""

// quoted writes a word as a POSIX shell reads it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
