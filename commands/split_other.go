//go:build !windows

package commands

import "github.com/google/shlex"

// splitWords splits a command line as a shell would, without expansions.
func splitWords(line string) ([]string, error) { return shlex.Split(line) }
