package commands

import "golang.org/x/sys/windows"

// splitWords splits a command line as Windows programs do: a backslash is part
// of a path unless it stands before a quote.
func splitWords(line string) ([]string, error) { return windows.DecomposeCommandLine(line) }
