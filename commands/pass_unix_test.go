//go:build unix

package commands

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tool is the tool as a process of its own: this very test binary.
func tool(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self)
	c.Args = append([]string{"acptool"}, args...) // by this name the binary knows what to be
	c.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	return c
}

// ended is how a process ended, as in "7" or "killed".
func ended(c *exec.Cmd) string {
	s := c.ProcessState.Sys().(syscall.WaitStatus)
	if s.Signaled() {
		return s.Signal().String()
	}
	return strconv.Itoa(s.ExitStatus())
}

func TestTapEndsAsTheAgentDid(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ agent, want string }{
		{"exit 0", "0"},
		{"exit 7", "7"},
		{"exit 255", "255"},
		{"kill -HUP $$", "hangup"},
		{"kill -INT $$", "interrupt"},
		{"kill -TERM $$", "terminated"},
		{"kill -KILL $$", "killed"},
		{"kill -USR1 $$", strconv.Itoa(128 + int(syscall.SIGUSR1))},
		{"", "127"},
		{plain, "126"},
	} {
		t.Run(x.agent, func(t *testing.T) {
			for _, command := range []string{"tap", "record"} {
				agent := []string{"sh", "-c", x.agent}
				switch x.want {
				case "126":
					agent = []string{plain}
				case "127":
					agent = []string{plain + "-missing"}
				}
				c := tool(t, append([]string{command, "-q", "--"}, agent...)...)
				out, _ := c.Output()
				if got := ended(c); got != x.want || len(out) > 0 {
					t.Errorf("%s: %s, want %s; stdout %q", command, got, x.want, out)
				}
			}
		})
	}
}

// tapped is a running tap with a client that the test plays.
type tapped struct {
	*exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr bytes.Buffer
}

func startTap(t *testing.T, args ...string) *tapped {
	t.Helper()
	p := &tapped{Cmd: tool(t, args...)}
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.out, err = p.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	p.Stderr = &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// line reads one line of the agent.
func (p *tapped) line(t *testing.T) string {
	t.Helper()
	var line []byte
	for b := make([]byte, 1); ; line = append(line, b[0]) {
		if _, err := p.out.Read(b); err != nil {
			t.Fatalf("after %q: %v", line, err)
		}
		if b[0] == '\n' {
			return string(line)
		}
	}
}

// wait reads the rest and returns how the tap ended.
func (p *tapped) wait(t *testing.T) string {
	t.Helper()
	io.Copy(io.Discard, p.out)
	p.Wait()
	return ended(p.Cmd)
}

// gone waits until a process has ended.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); syscall.Kill(n, 0) == nil && !zombie(n); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", n)
		}
		<-time.After(5 * time.Millisecond) // nobody tells when a process that is not ours ends
	}
}

// zombie says whether a process has ended and only its parent does not know.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(rest, "Z")
}

func TestTapPassesSignalsOn(t *testing.T) {
	for sig, name := range map[syscall.Signal]string{syscall.SIGINT: "INT", syscall.SIGTERM: "TERM", syscall.SIGHUP: "HUP"} {
		t.Run(name, func(t *testing.T) {
			p := startTap(t, "tap", "-q", "--", "sh", "-c", "trap 'echo bye; exit 9' "+name+"; echo ready; cat")
			if got := p.line(t); got != "ready" {
				t.Errorf("%q", got)
			}
			p.Process.Signal(sig)
			if got := p.line(t); got != "bye" {
				t.Errorf("%q", got)
			}
			if got := p.wait(t); got != "9" {
				t.Errorf("ended %s", got)
			}
		})
	}
}

// Nothing that an agent leaves behind holds us, or stays.
func TestTapGrandchildHoldsThePipes(t *testing.T) {
	p := startTap(t, "tap", "-q", "--", "sh", "-c", "sleep 1000 & echo $!; exit 3")
	pid := p.line(t)
	if got := p.wait(t); got != "3" {
		t.Errorf("ended %s", got)
	}
	gone(t, pid)
}

func TestTapEditorIsKilled(t *testing.T) {
	p := startTap(t, "tap", "-q", "--", "sh", "-c", "echo $$; cat")
	pid := p.line(t)
	p.in.Close()
	p.out.Close()
	p.Wait()
	if got := ended(p.Cmd); got != "0" {
		t.Errorf("ended %s", got)
	}
	gone(t, pid)
}

// Nor does an agent stay that takes no notice of its end of input. Where the
// system does not tell that nobody reads any more, the agent's next word does.
func TestTapEditorIsKilledAndTheAgentIgnoresIt(t *testing.T) {
	t.Parallel()
	p := startTap(t, "tap", "-q", "--", "sh", "-c", "trap '' PIPE; echo $$; while sleep 1; do echo still; done 2>/dev/null")
	pid := p.line(t)
	p.in.Close()
	p.out.Close()
	p.Wait()
	if got := ended(p.Cmd); got != "terminated" {
		t.Errorf("ended %s", got)
	}
	gone(t, pid)
}

func TestTapAgentIsKilled(t *testing.T) {
	p := startTap(t, "tap", "-q", "--", "sh", "-c", "echo $$; exec cat")
	n, _ := strconv.Atoi(p.line(t))
	syscall.Kill(n, syscall.SIGKILL)
	if got := p.wait(t); got != "killed" {
		t.Errorf("ended %s", got)
	}
}

// A recording that cannot be written any more never stops the traffic. It is
// said at once and at the end, and nothing is recorded behind the gap.
func TestTapRecordingOnAFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.acp.jsonl")
	line := `{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", 4000) + `"}` + "\n"
	const n = 1000
	inner := tool(t, "record", "-o", file, "--", "cat")
	// The shell's limit is in blocks of 512 or 1024 bytes: at most 1 MiB.
	c := exec.Command("sh", "-c", `ulimit -f 1024; exec "$0" "$@"`)
	c.Args = append(c.Args, "acptool")
	c.Args = append(c.Args, inner.Args[1:]...)
	link := filepath.Join(t.TempDir(), "acptool")
	if err := os.Symlink(inner.Path, link); err != nil {
		t.Fatal(err)
	}
	c.Args[3] = link
	c.Stdin = strings.NewReader(strings.Repeat(line, n))
	var out, told bytes.Buffer
	c.Stdout, c.Stderr = &out, &told
	if err := c.Run(); err != nil {
		t.Errorf("%v: %s", err, told.String())
	}
	if out.String() != strings.Repeat(line, n) {
		t.Errorf("%d bytes came back, not %d", out.Len(), n*len(line))
	}
	if got := strings.Count(told.String(), "cannot be written: "); got != 2 {
		t.Errorf("said %d times: %s", got, told.String())
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 || info.Size() > 1<<20 {
		t.Errorf("the recording: %v, %v", info, err)
	}
}

// The editor gets its agent although nothing can be written.
func TestRecordWithoutAPlace(t *testing.T) {
	c := tool(t, "record", "-o", filepath.Join(t.TempDir(), "no", "such", "folder", "x"), "--", "echo", "hello")
	var told bytes.Buffer
	c.Stderr = &told
	out, err := c.Output()
	if err != nil || string(out) != "hello\n" || !strings.Contains(told.String(), "acptool: warning: the recording cannot be written") {
		t.Errorf("%q, %v, %s", out, err, told.String())
	}
}
