// Package commands holds one file per subcommand of acptool and what they
// share: the command line, the flag groups, the exit statuses.
package commands

import (
	"context"
	"os"
)

// Streams are the process's own standard streams. They are files, since some
// commands hand their descriptors on or ask whether they are terminals.
type Streams struct{ In, Out, Err *os.File }

// Main runs the tool with the given arguments (args[0] is the program's name)
// and returns its exit status.
func Main(args []string, std Streams) int {
	e := newEnv(std, os.Getenv)
	err := e.run(context.Background(), args[1:])
	return int(e.finish(err))
}
