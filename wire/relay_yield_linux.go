package wire

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// yieldToTraffic makes the calling goroutine, for the rest of its life, give
// way where processors are scarce: its thread is niced, and ends with it.
func yieldToTraffic() {
	runtime.LockOSThread()
	unix.Setpriority(unix.PRIO_PROCESS, 0, 10) // on Linux, of this thread alone
}
