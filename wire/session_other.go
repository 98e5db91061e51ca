//go:build unix && !linux

package wire

import (
	"errors"
	"os"
	"syscall"
)

// dieWithParent does nothing: only Linux has a parent-death signal. The guard
// does its work.
func dieWithParent(*syscall.SysProcAttr) {}

// signalAll signals the process group; without /proc the rest of the session
// cannot be listed.
func (s session) signalAll(sig os.Signal) error { return s.signal(sig) }

// empty reports whether no process of the group is left.
func (s session) empty() bool { return errors.Is(syscall.Kill(-s.leader, 0), syscall.ESRCH) }
