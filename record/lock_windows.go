package record

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// openNonblock has no meaning on Windows.
const openNonblock = 0

// lockRange is far behind any content: locks are mandatory on Windows, and
// readers must get at the content.
func lockRange() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 0x7fffffff} }

// lockFile takes the lock that says that f is being written.
func lockFile(f *os.File) {
	_ = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, lockRange())
}

// isLocked says whether somebody writes f.
func isLocked(f *os.File) (locked, known bool) {
	h := windows.Handle(f.Fd())
	err := windows.LockFileEx(h, windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, lockRange())
	switch {
	case err == nil:
		_ = windows.UnlockFileEx(h, 0, 1, 0, lockRange())
		return false, true
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return true, true
	}
	return false, false
}

// alive says whether a process of this id exists.
func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(h)
	var code uint32
	return windows.GetExitCodeProcess(h, &code) == nil && code == 259 // STILL_ACTIVE
}
