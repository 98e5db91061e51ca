// Package signals keeps what started the tests from deciding how they end.
package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// Default gives the processes that a test starts the default action for the
// signals of a terminal. Under nohup, or in a shell's background, SIGHUP or
// SIGINT and SIGQUIT are ignored, and a process inherits that; a signal that we
// catch is not inherited. TestMain calls it before anything is started.
func Default() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}
