package wire

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// yieldToTraffic makes the calling goroutine, for the rest of its life, give
// way where processors are scarce: its thread is niced, and ends with it. That
// gives it a small share, but alone does not make it stop for whoever has to run
// now: since Linux 6.6 a thread may use up its slice. So it also asks for a long
// one, since from 6.12 on threads with shorter slices come before it
// (sched_setattr(2), sched_runtime).
func yieldToTraffic() {
	runtime.LockOSThread()
	batch := unix.SchedAttr{Policy: unix.SCHED_BATCH, Nice: 10, Runtime: uint64(100 * time.Millisecond)}
	if unix.SchedSetAttr(0, &batch, 0) != nil { // an old kernel, or a sandbox
		unix.Setpriority(unix.PRIO_PROCESS, 0, 10) // on Linux, of this thread alone
	}
}
