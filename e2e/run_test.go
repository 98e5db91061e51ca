//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for anything before it fails.
const patience = 60 * time.Second

// outcome is what a run left behind.
type outcome struct {
	stdout, stderr string
	exit           int
}

// run is one run of a program in a world of its own: an empty home, none of
// our environment variables, and a mark by which its processes are found.
type run struct {
	t    *testing.T
	dir  string   // working directory, and the home's parent
	env  []string // beside the ordinary
	mark string
}

var runs atomic.Int64

func newRun(t *testing.T, env ...string) *run {
	t.Helper()
	r := &run{t: t, dir: t.TempDir(), env: env, mark: fmt.Sprintf("E2E_MARK=%d-%d", os.Getpid(), runs.Add(1))}
	t.Cleanup(r.noProcessLeft)
	return r
}

func (r *run) command(ctx context.Context, argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = r.dir
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(r.dir, "home"), "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8", r.mark,
	}, r.env...)
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// do runs a program to its end.
func (r *run) do(stdin string, argv ...string) outcome {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := r.command(ctx, argv...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatalf("%q: %v", argv, err)
	}
	if ctx.Err() != nil {
		r.t.Fatalf("%q did not end\nstdout: %s\nstderr: %s", argv, stdout.String(), stderr.String())
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// acptool runs the tool.
func (r *run) acptool(args ...string) outcome {
	r.t.Helper()
	return r.do("", append([]string{tool}, args...)...)
}

// want fails the test unless the run ended so; it returns the outcome.
func (o outcome) want(t *testing.T, exit int, stdout string) outcome {
	t.Helper()
	if o.exit != exit || o.stdout != stdout {
		t.Fatalf("exit %d, stdout %q; want %d, %q\nstderr: %s", o.exit, o.stdout, exit, stdout, o.stderr)
	}
	return o
}

// wantExit is want for a run whose stdout is looked at otherwise.
func (o outcome) wantExit(t *testing.T, exit int) outcome {
	t.Helper()
	if o.exit != exit {
		t.Fatalf("exit %d, want %d\nstdout: %s\nstderr: %s", o.exit, exit, o.stdout, o.stderr)
	}
	return o
}

// noProcessLeft fails the test if a process that bears the run's mark still
// lives. One that has been told to end may take a moment to be gone.
func (r *run) noProcessLeft() {
	deadline := time.After(5 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		left := r.processes()
		if len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			r.t.Errorf("processes left behind: %s", strings.Join(left, "; "))
			for _, line := range left {
				if pid, err := strconv.Atoi(strings.Fields(line)[0]); err == nil {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
			return
		}
	}
}

// processes lists those that bear the run's mark: pid and command line. A
// zombie has no environment any more and so does not count.
func (r *run) processes() []string {
	var found []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(append(env, 0), []byte(r.mark+"\x00")) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		found = append(found, filepath.Base(dir)+" "+strings.ReplaceAll(string(line), "\x00", " "))
	}
	return found
}
