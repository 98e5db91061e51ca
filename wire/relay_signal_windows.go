package wire

import (
	"os"
	"syscall"
)

// signalName returns the name as in "SIGTERM".
func signalName(sig os.Signal) string {
	switch sig {
	case os.Interrupt:
		return "SIGINT"
	case os.Kill:
		return "SIGKILL"
	case syscall.SIGTERM:
		return "SIGTERM"
	}
	return sig.String()
}
