//go:build unix

package record

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openNonblock keeps the opening of a FIFO that nobody reads from blocking.
const openNonblock = unix.O_NONBLOCK

// lockFile takes the lock that says that f is being written. It is an flock:
// it goes when the process does, however that ends, and children do not
// inherit it, since Go opens files close-on-exec. The file is new, so nobody
// but a reader that asks for a moment can hold it.
func lockFile(f *os.File) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Control(func(fd uintptr) {
		for unix.Flock(int(fd), unix.LOCK_EX) == unix.EINTR {
		}
	})
}

// isLocked says whether somebody writes f. It is not known on file systems
// without locks.
func isLocked(f *os.File) (locked, known bool) {
	c, err := f.SyscallConn()
	if err != nil {
		return false, false
	}
	_ = c.Control(func(fd uintptr) {
		err = unix.Flock(int(fd), unix.LOCK_SH|unix.LOCK_NB)
		if err == nil {
			_ = unix.Flock(int(fd), unix.LOCK_UN)
		}
	})
	switch {
	case err == nil:
		return false, true
	case errors.Is(err, unix.EWOULDBLOCK):
		return true, true
	}
	return false, false
}

// alive says whether a process of this id exists.
func alive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
