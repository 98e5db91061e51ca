package wire

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent does nothing: only Linux has a parent-death signal. The guard
// does its work.
func dieWithParent(*syscall.SysProcAttr) {}

// ourselves is this very program.
func ourselves() (string, error) { return os.Executable() }

// zombie is SZOMB of sys/proc.h: ended, and not waited for yet.
const zombie = 5

// members lists the living processes of the session. A zombie counts as gone:
// it only waits for whoever adopted it.
func (s session) members() []int {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var pids []int
	for i := range all {
		p := &all[i].Proc
		if p.P_stat == zombie {
			continue
		}
		if sid, err := unix.Getsid(int(p.P_pid)); err == nil && sid == s.leader {
			pids = append(pids, int(p.P_pid))
		}
	}
	return pids
}

// processes lists the living processes of the system.
func processes() []process {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var all []process
	for i := range list {
		pid := int(list[i].Proc.P_pid)
		if sid, err := unix.Getsid(pid); err == nil && list[i].Proc.P_stat != zombie {
			all = append(all, process{pid, int(list[i].Eproc.Ppid), sid})
		}
	}
	return all
}
