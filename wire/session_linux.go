package wire

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel kill the child when our thread ends without
// having ended it.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// ourselves is this very program, even if its file was replaced or removed
// since it was started.
func ourselves() (string, error) { return "/proc/self/exe", nil }

// members lists the living processes of the session. A zombie counts as gone:
// it only waits for whoever adopted it.
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
		if err != nil {
			continue
		}
		if sid, err := unix.Getsid(pid); err == nil && sid == s.leader && living(name) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// living reports whether a process is no zombie. In /proc/PID/stat the state
// stands behind the name, which is the only field that can hold a parenthesis.
func living(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	state := bytes.TrimLeft(stat[bytes.LastIndexByte(stat, ')')+1:], " ")
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}
