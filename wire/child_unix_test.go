//go:build unix

package wire

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// short is the patience for what is to be left behind; what is to be waited
// for gets long.
const (
	short = 50 * time.Millisecond
	long  = time.Minute
)

// sh starts a shell script as a child that has all the time to end by itself.
func sh(t *testing.T, script string, args ...string) *Child {
	t.Helper()
	return patientSh(t, Patience{EOF: long, Orphans: short, Term: short, Silence: short, Drain: 10 * short}, script, args...)
}

func patientSh(t *testing.T, p Patience, script string, args ...string) *Child {
	t.Helper()
	c, err := StartChild(Command{Argv: append([]string{"sh", "-c", script, "sh"}, args...), Patience: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// fifo makes a named pipe whose reader sees its end when the last process that
// inherited the writing end is gone: the event that a test waits for.
func fifo(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func wantChildLine(t *testing.T, c *Child, want string) {
	t.Helper()
	l, err := c.ReadLine()
	if err != nil || string(l.Bytes) != want {
		t.Fatalf("read %q, %v; want %q", l.Bytes, err, want)
	}
}

func TestChildTalksAndEndsByItself(t *testing.T) {
	c := sh(t, `echo noise >&2; read line; echo "got $line"; exit 3`)
	if err := c.WriteMessage([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	wantChildLine(t, c, "got hello")
	if e := c.Wait(); e != (Exit{Code: 3}) {
		t.Errorf("exit %+v", e)
	}
	if tail := string(c.StderrTail()); tail != "noise\n" {
		t.Errorf("stderr tail %q", tail)
	}
}

func TestChildIsLeaderOfASession(t *testing.T) {
	c := sh(t, `read x`)
	if sid, err := unix.Getsid(c.Pid()); err != nil || sid != c.Pid() {
		t.Errorf("session %d of %d, %v", sid, c.Pid(), err)
	}
}

func TestChildKilledBySignalIsNamed(t *testing.T) {
	c := sh(t, `kill -9 $$`)
	if e := c.Wait(); e.Signal != "SIGKILL" {
		t.Errorf("exit %+v", e)
	}
}

func TestChildCannotStart(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		argv                    []string
		notFound, notExecutable bool
	}{
		{[]string{"no-such-agent-anywhere"}, true, false},
		{[]string{filepath.Join(dir, "absent")}, true, false},
		{[]string{plain}, false, true},
		{[]string{dir}, false, true},
	} {
		_, err := StartChild(Command{Argv: tt.argv})
		var se *StartError
		if !errors.As(err, &se) || se.NotFound() != tt.notFound || se.NotExecutable() != tt.notExecutable {
			t.Errorf("%v: %v, not found %t, not executable %t", tt.argv, err, se.NotFound(), se.NotExecutable())
		}
	}
}

// The ladder, rung by rung: each script ends at one rung and says so to the
// FIFO, which ends only when every process that holds it is gone.
func TestChildLadder(t *testing.T) {
	for name, tt := range map[string]struct {
		patience     Patience
		script, want string
	}{
		"ends at EOF":            {Patience{}, `exec 3>"$1"; echo ready; cat >/dev/null; echo eof >&3`, "eof\n"},
		"ends at SIGTERM":        {Patience{EOF: short, Term: long}, `exec 3>"$1"; trap 'echo term >&3; exit' TERM; echo ready; while :; do sleep 0.01; done`, "term\n"},
		"ends at SIGKILL":        {Patience{EOF: short, Term: short}, `exec 3>"$1"; trap '' TERM; echo ready; while :; do sleep 0.01; done`, ""},
		"wrapper outlived":       {Patience{Orphans: short, Term: long}, `exec 3>"$1"; (trap 'echo leaf >&3; exit' TERM; echo ready; while :; do sleep 0.01; done) & exit`, "leaf\n"},
		"job control":            {Patience{Orphans: short, Term: short}, `set -m; exec 3>"$1"; (trap '' TERM; echo ready; while :; do sleep 0.01; done) & exit`, ""},
		"grandchild ignores all": {Patience{EOF: short, Term: short}, `exec 3>"$1"; sh -c "trap '' TERM HUP; echo ready; while :; do sleep 0.01; done" & wait`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			name := fifo(t)
			said := make(chan string, 1)
			go func() { b, _ := os.ReadFile(name); said <- string(b) }()
			c := patientSh(t, tt.patience, tt.script, name)
			wantChildLine(t, c, "ready")
			if err := c.Close(context.Background()); err != nil {
				t.Fatal(err)
			}
			if !c.session.empty() {
				t.Error("something of the session is left")
			}
			if got := <-said; got != tt.want {
				t.Errorf("said %q, want %q", got, tt.want)
			}
		})
	}
}

func TestChildCloseInAHurryKillsAtOnce(t *testing.T) {
	c, err := StartChild(Command{Argv: []string{"sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.01; done"}})
	if err != nil {
		t.Fatal(err)
	}
	wantChildLine(t, c, "ready")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = c.Close(ctx) // with the default patience this would take 7 s
	if e, ok := c.Exit(); !ok || e.Signal == "" {
		t.Errorf("exit %+v, %t", e, ok)
	}
}

func TestChildGrandchildThatHoldsThePipesCannotHoldUs(t *testing.T) {
	c := sh(t, `echo last; echo words >&2; sleep 30 & exit 0`)
	wantChildLine(t, c, "last")
	if l, err := c.ReadLine(); err == nil {
		t.Errorf("read %q after the end", l.Bytes)
	}
	if got := string(c.StderrTail()); got != "words\n" {
		t.Errorf("stderr %q", got)
	}
}

func TestChildFloodOfStderrDoesNotStopIt(t *testing.T) {
	c := sh(t, `i=0; while [ $i -lt 3000 ]; do echo "line $i of far more than a pipe holds, to be read by nobody" >&2; i=$((i+1)); done; echo done`)
	wantChildLine(t, c, "done")
	c.Wait()
	if tail := string(c.StderrTail()); len(tail) != tailSize || !strings.HasSuffix(tail, "read by nobody\n") {
		t.Errorf("tail of %d bytes", len(tail))
	}
}

// A tool that is killed outright leaves nothing: the guard sees the end of its
// pipe and ends the sessions.
func TestGuardEndsSessionsOfAKilledTool(t *testing.T) {
	name := fifo(t)
	tool := exec.Command(os.Args[0])
	tool.Env = append(os.Environ(), "WIRE_TEST_TOOL="+name)
	if err := tool.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name) // opens once the agent's grandchild has
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 64)
	said := ""
	for !strings.Contains(said, "watched\n") || strings.Count(said, "\n") < 2 { // the agent's pid, and that the guard is there
		n, err := f.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		said += string(buf[:n])
	}
	pid, err := strconv.Atoi(strings.TrimSpace(strings.Replace(said, "watched\n", "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	_ = tool.Process.Kill()
	_ = tool.Wait()
	if n, err := f.Read(buf); n != 0 || err == nil { // EOF: the last holder is gone
		t.Errorf("read %q, %v", buf[:n], err)
	}
	// A process lets go of its files a moment before it is a zombie.
	for deadline := time.Now().Add(10 * time.Second); !sessionOf(pid).empty(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the session is not empty")
		}
	}
}

// Children must not inherit ignored signals from us.
func TestChildInheritsDefaultSignals(t *testing.T) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ch)
	c := sh(t, `kill -INT $$; echo survived`)
	if e := c.Wait(); e.Signal != "SIGINT" {
		t.Errorf("exit %+v", e)
	}
}
