//go:build unix && !linux && !darwin

package wire

import (
	"os"
	"syscall"
)

// dieWithParent does nothing: only Linux has a parent-death signal. The guard
// does its work.
func dieWithParent(*syscall.SysProcAttr) {}

// ourselves is this very program.
func ourselves() (string, error) { return os.Executable() }

// members says no more than whether the process group still exists: the rest
// of the session is not listed here.
func (s session) members() []int {
	if syscall.Kill(-s.leader, 0) != nil {
		return nil
	}
	return []int{s.leader}
}

// processes lists none: here, what leaves the session is out of reach.
func processes() []process { return nil }
