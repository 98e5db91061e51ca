//go:build unix

package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// script writes an executable file.
func script(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestStartErrorsSayWhatIsWrong(t *testing.T) {
	noInterpreter := script(t, "#!/no/such/interpreter\n", 0o755)
	denied := script(t, "#!/bin/sh\n", 0o644)
	t.Setenv("PATH", filepath.Dir(denied))
	for _, test := range []struct {
		c                       Command
		notFound, notExecutable bool
		text                    string
	}{
		{Command{Argv: []string{noInterpreter}}, true, false, "cannot start " + noInterpreter + ": the interpreter that its first line names does not exist"},
		{Command{Argv: []string{"script"}}, false, true, "cannot start script: permission denied"},
		{Command{Argv: []string{"no-such"}}, true, false, "cannot start no-such: executable file not found in $PATH"},
		{Command{Argv: []string{"/bin/sh"}, Dir: "/no/such"}, false, false, "cannot start /bin/sh in /no/such: no such file or directory"},
		{Command{}, true, false, "cannot start : executable file not found in $PATH"},
	} {
		_, err := StartChild(test.c)
		var e *StartError
		if !errors.As(err, &e) {
			t.Errorf("%v: %v", test.c.Argv, err)
			continue
		}
		if e.NotFound() != test.notFound || e.NotExecutable() != test.notExecutable || e.Error() != test.text {
			t.Errorf("%v: %q, not found %t, not executable %t", test.c.Argv, e, e.NotFound(), e.NotExecutable())
		}
	}
}

// execvp(3) gives a file without a first line to the shell, and so do editors.
func TestScriptWithoutInterpreterRunsInTheShell(t *testing.T) {
	c, err := StartChild(Command{Argv: []string{script(t, "echo \"got $1\"\n", 0o755), "it"}})
	if err != nil {
		t.Fatal(err)
	}
	wantChildLine(t, c, "got it")
	_ = c.Close(context.Background())

	var e *StartError
	if _, err := StartChild(Command{Argv: []string{script(t, "\x7fELF\x00\x00", 0o755)}}); !errors.As(err, &e) || !e.NotExecutable() {
		t.Errorf("a program for another machine: %v", err)
	}
}

func TestSlowReaderLosesNothing(t *testing.T) {
	c, err := StartChild(Command{
		Argv:     []string{"sh", "-c", "i=0; while [ $i -lt 600 ]; do echo 0123456789012345678901234567890123456789012345678901234567890; i=$((i+1)); done; sleep 30 & exit"},
		Patience: Patience{EOF: time.Millisecond, Orphans: time.Millisecond, Silence: time.Nanosecond, Drain: time.Nanosecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Wait() // the time for reading is over before reading begins
	lines := 0
	for {
		if _, err = c.ReadLine(); err != nil {
			break
		}
		lines++
	}
	if lines != 600 || err != io.EOF {
		t.Errorf("%d lines, %v", lines, err)
	}
	_ = c.Close(context.Background())
}

func TestGrandchildThatKeepsTalkingCannotHoldUs(t *testing.T) {
	c, err := StartChild(Command{
		Argv:     []string{"sh", "-c", "(while :; do echo more; done) & exit"},
		Patience: Patience{EOF: 50 * time.Millisecond, Orphans: time.Millisecond, Silence: 20 * time.Millisecond, Drain: 50 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = c.ReadLine()
	}
	if err != io.EOF {
		t.Error(err)
	}
	_ = c.Close(context.Background())
}

func TestLastWordsDuringCloseAreRead(t *testing.T) {
	c := sh(t, `echo ready; cat >/dev/null; i=0; while [ $i -lt 600 ]; do echo 0123456789012345678901234567890123456789012345678901234567890; i=$((i+1)); done`)
	wantChildLine(t, c, "ready")
	if err := c.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		if _, err := c.ReadLine(); err != nil {
			t.Fatalf("line %d: %v", i, err)
		}
	}
	if _, err := c.ReadLine(); err != io.EOF {
		t.Error(err)
	}
}

func TestCloseFreesAStuckWriter(t *testing.T) {
	c := patientSh(t, Patience{EOF: short, Term: long}, `sleep 30`)
	wrote := make(chan error, 1)
	go func() { wrote <- c.WriteMessage(make([]byte, 8<<20)) }()
	_ = c.Close(context.Background())
	if err := <-wrote; err == nil {
		t.Error("8 MiB went into a pipe")
	}
}

func TestZombieCountsAsGone(t *testing.T) {
	cmd := exec.Command("sh", "-c", "read x")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := sessionOf(cmd.Process.Pid)
	if s.empty() {
		t.Error("a living process counts as gone")
	}
	in.Close()
	io.Copy(io.Discard, out)
	for until := time.Now().Add(10 * time.Second); !s.empty(); { // ended, and not waited for
		if time.Now().After(until) {
			t.Fatal("a zombie does not count as gone")
		}
	}
	if err := syscall.Kill(s.leader, 0); err != nil {
		t.Errorf("the zombie is gone: %v", err)
	}
	_ = cmd.Wait()
}

func TestSignalOfAChildThatIsGone(t *testing.T) {
	c := sh(t, `read x`)
	if err := c.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	c.Wait()
	if err := c.Signal(syscall.SIGINT); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("got %v", err)
	}
}

func TestStderrIsToldInOrder(t *testing.T) {
	var mu sync.Mutex
	var early, late bytes.Buffer
	c, err := StartChild(Command{
		Argv: []string{"sh", "-c", "echo one >&2; echo ready; read x; echo two >&2"},
		Stderr: func(b []byte) {
			mu.Lock()
			early.Write(b)
			mu.Unlock()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantChildLine(t, c, "ready")
	for until := time.Now().Add(10 * time.Second); len(c.StderrTail()) == 0; {
		if time.Now().After(until) {
			t.Fatal("nothing on stderr")
		}
	}
	c.TellStderr(func(b []byte) {
		mu.Lock()
		late.Write(b)
		mu.Unlock()
	})
	_ = c.Close(context.Background())
	if early.String() != "one\ntwo\n" || late.String() != "one\ntwo\n" {
		t.Errorf("told %q and %q", early.String(), late.String())
	}
}

func TestStderrFileIsInherited(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := StartChild(Command{Argv: []string{"sh", "-c", "echo words >&2"}, StderrFile: f})
	if err != nil {
		t.Fatal(err)
	}
	c.Wait()
	_ = c.Close(context.Background())
	if b, _ := os.ReadFile(f.Name()); string(b) != "words\n" {
		t.Errorf("got %q", b)
	}
}

func TestRawChildLeavesTheStreamsAlone(t *testing.T) {
	c, err := StartChild(Command{Argv: []string{"sh", "-c", "cat; echo bye >&2"}, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(c.Stdin, "bytes without an end")
	_ = c.CloseStdin()
	out, _ := io.ReadAll(c.Stdout)
	errs, _ := io.ReadAll(c.Stderr)
	if string(out) != "bytes without an end" || string(errs) != "bye\n" {
		t.Errorf("read %q and %q", out, errs)
	}
	_ = c.Close(context.Background())
	c.Stdout.Close()
	c.Stderr.Close()
}

func TestOneGuardForManyChildren(t *testing.T) {
	g, err := StartGuard()
	if err != nil {
		t.Fatal(err)
	}
	// What ends our session by its terminal must not end the guard.
	if sid, err := unix.Getsid(g.cmd.Process.Pid); err != nil || sid != g.cmd.Process.Pid {
		t.Errorf("the guard is in session %d, %v", sid, err)
	}
	var children []*Child
	for range 3 {
		c, err := StartChild(Command{Argv: []string{"sh", "-c", "trap '' TERM; echo ready; while :; do read x || sleep 0.01; done"}, Guard: g})
		if err != nil {
			t.Fatal(err)
		}
		wantChildLine(t, c, "ready")
		children = append(children, c)
	}
	// The end of its pipe is what the guard sees when we are killed.
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	for _, c := range children {
		if e := c.Wait(); e.Signal != "SIGKILL" || !c.session.empty() {
			t.Errorf("exit %+v", e)
		}
		_ = c.Close(context.Background())
	}
}
