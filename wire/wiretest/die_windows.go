package wiretest

import "syscall"

// signalNamed is a signal that a script can end by; Windows has only the end
// itself.
func signalNamed(name string) syscall.Signal {
	if name == "KILL" {
		return syscall.SIGKILL
	}
	return 0
}

// die ends this process.
func die(syscall.Signal) error { return exitStatus(1) }
