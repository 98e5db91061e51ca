package commands

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// descriptors counts the open files of a process.
func descriptors(t *testing.T, pid int) int {
	t.Helper()
	names, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "fd"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// children counts the processes below one, zombies included.
func children(t *testing.T, pid int) int {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(tasks) == 0 {
		t.Fatal("the kernel lists no children: ", err)
	}
	n := 0
	for _, name := range tasks {
		b, _ := os.ReadFile(name) // a thread may have ended meanwhile
		n += len(strings.Fields(string(b)))
	}
	return n
}

// backTo waits until a count is at most what it was.
func backTo(t *testing.T, what string, was int, count func() int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); count() > was; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: %d, and %d before", what, count(), was)
		}
	}
}

// 200 clients at once, each with an agent of its own: all are answered, and
// the listener is then as it was.
func TestTapListenLoad(t *testing.T) {
	const clients = 200
	path := filepath.Join(t.TempDir(), "s")
	// One more, for the first connection, which may still be on its way out.
	l, _ := listening(t, "--listen", "unix:"+path, "--max-conns", strconv.Itoa(clients+1), "--", "sh", "-c", echoAgent)
	say(t, "unix", path, "warm")
	pid := l.Process.Pid
	backTo(t, "processes", 1, func() int { return children(t, pid) }) // the guard may stay
	files, procs := descriptors(t, pid), children(t, pid)

	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { say(t, "unix", path, fmt.Sprintf(`{"n":%d}`, i)) })
	}
	all.Wait()
	backTo(t, "descriptors", files, func() int { return descriptors(t, pid) })
	backTo(t, "processes", procs, func() int { return children(t, pid) })
	l.stop(t)
}

// Connections that are cut anywhere leave nothing behind, and the next client
// is served.
func TestTapListenCutConnectionsLeaveNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, _ := listening(t, "--listen", "unix:"+path, "--", "sh", "-c", echoAgent)
	say(t, "unix", path, "warm")
	pid := l.Process.Pid
	backTo(t, "processes", 1, func() int { return children(t, pid) })
	files, procs := descriptors(t, pid), children(t, pid)

	random := rand.New(rand.NewPCG(1, 2))
	line := strings.Repeat("x", 4096) + "\n"
	for range 30 {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		whole := random.IntN(4)
		_, _ = io.WriteString(c, strings.Repeat(line, whole)+line[:random.IntN(len(line))])
		if whole > 0 {
			_, _ = io.CopyN(io.Discard, c, int64(random.IntN(whole*len(line))))
		}
		if random.IntN(2) == 0 {
			_ = c.(*net.UnixConn).CloseWrite()
		}
		c.Close()
	}
	backTo(t, "descriptors", files, func() int { return descriptors(t, pid) })
	backTo(t, "processes", procs, func() int { return children(t, pid) })
	say(t, "unix", path, "still there")
	l.stop(t)
}
