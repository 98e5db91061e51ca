package commands

import (
	"os"
	"syscall"
)

// passedSignals are those that tap and record pass on to the agent.
func passedSignals() []os.Signal { return []os.Signal{os.Interrupt} }

// signalNumber is the signal of a name such as "SIGKILL", 0 if there is none.
func signalNumber(name string) syscall.Signal {
	switch name {
	case "SIGINT":
		return syscall.SIGINT
	case "SIGKILL":
		return syscall.SIGKILL
	case "SIGTERM":
		return syscall.SIGTERM
	}
	return 0
}

// surviveFileLimit does nothing: there is no such limit.
func surviveFileLimit() (undo func()) { return func() {} }

// raise does nothing: there are no signals.
func raise(syscall.Signal) {}
