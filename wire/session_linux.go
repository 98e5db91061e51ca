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

// living reports whether a process is no zombie.
func living(pid string) bool {
	_, ok := statOf(pid)
	return ok
}

// processes lists the living processes of the system.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var all []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := statOf(name); ok {
			p.pid = pid
			all = append(all, p)
		}
	}
	return all
}

// statOf reads what /proc/PID/stat tells of a process, if it lives. State,
// parent, group and session stand behind the name, which is the only field
// that can hold a parenthesis (proc_pid_stat(5)).
func statOf(pid string) (p process, ok bool) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return p, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 4 || bytes.ContainsAny(fields[0], "ZX") {
		return p, false
	}
	p.parent, _ = strconv.Atoi(string(fields[1]))
	p.session, _ = strconv.Atoi(string(fields[3]))
	return p, true
}
