package wire

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// dieWithParent has the kernel kill the child when our thread ends without
// having ended it.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// signalAll signals every process of the session, whatever group a shell's job
// control has put it in.
func (s session) signalAll(sig os.Signal) error {
	err := s.signal(sig)
	for _, pid := range s.members() {
		_ = syscall.Kill(pid, sig.(syscall.Signal))
	}
	return err
}

// empty reports whether no process of the session is left. A zombie counts as
// gone: it only waits for whoever adopted it.
func (s session) empty() bool { return len(s.members()) == 0 }

// members lists the living processes of the session, as /proc has them.
func (s session) members() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err == nil && s.holds(name) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// holds reports whether a process is alive and of this session. In
// /proc/PID/stat the state and the session are the first and the fourth field
// after the name, which is the only one that can hold a parenthesis.
func (s session) holds(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 4 || string(fields[0]) == "Z" || string(fields[0]) == "X" {
		return false
	}
	return string(fields[3]) == strconv.Itoa(s.leader)
}
