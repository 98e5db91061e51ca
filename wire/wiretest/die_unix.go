//go:build unix

package wiretest

import (
	"os/signal"
	"syscall"
	"time"
)

// signalNamed is a signal that a script can end by, 0 if there is none.
func signalNamed(name string) syscall.Signal {
	switch name {
	case "HUP":
		return syscall.SIGHUP
	case "INT":
		return syscall.SIGINT
	case "KILL":
		return syscall.SIGKILL
	case "TERM":
		return syscall.SIGTERM
	case "USR1":
		return syscall.SIGUSR1
	}
	return 0
}

// die ends this process by a signal.
func die(sig syscall.Signal) error {
	signal.Reset(sig)
	if err := syscall.Kill(syscall.Getpid(), sig); err != nil {
		return err
	}
	for { // it is on its way
		time.Sleep(time.Hour)
	}
}
