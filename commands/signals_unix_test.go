//go:build unix

package commands

import (
	"bufio"
	"bytes"
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

// started is the tool at work, seen by its test.
type started struct {
	*exec.Cmd
	out  *bufio.Reader
	pipe io.ReadCloser
	errs *bytes.Buffer
}

// start runs the tool against a fake agent and waits for its first words.
func start(t *testing.T, agent, recording, first string, args ...string) started {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent")
	write(t, file, agent)
	args = append(args, "--record", recording, "--", "fakeagent", file)
	cmd := exec.CommandContext(t.Context(), "acptool", args...)
	cmd.Dir = filepath.Dir(file)
	s := started{Cmd: cmd, errs: &bytes.Buffer{}}
	cmd.Stderr = s.errs
	var err error
	if s.pipe, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(s.pipe)
	buf := make([]byte, len(first))
	if _, err := io.ReadFull(s.out, buf); err != nil || string(buf) != first {
		t.Fatalf("the first words are %q, %v: %s", buf, err, s.errs)
	}
	return s
}

// end waits for the tool and gives its exit status and the rest of its output.
func (s started) end(t *testing.T) (int, string) {
	t.Helper()
	rest, err := io.ReadAll(s.out)
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	return s.ProcessState.ExitCode(), string(rest)
}

// cancellable is an agent whose turn goes on until these lines end it.
func cancellable(after ...string) string {
	return agent1(`{}`) + "expect session/new\n" + newS + "\nexpect session/prompt\n" + chunk1("begun") + "\n" +
		update(`{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","status":"in_progress"}`) + "\n" +
		strings.Join(after, "\n") + "\n"
}

func TestP92P93P99SignalsCancelTheTurn(t *testing.T) {
	t.Parallel()
	for sig, exit := range map[syscall.Signal]Exit{syscall.SIGINT: ExitInterrupted, syscall.SIGTERM: ExitTerminated, syscall.SIGHUP: ExitHangup} {
		rec := filepath.Join(t.TempDir(), "rec")
		agent := cancellable("await session/cancel", chunk1(" and ended"), `send {"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}`)
		s := start(t, agent, rec, "begun", "prompt", "hi")
		s.Process.Signal(sig)
		code, rest := s.end(t)
		if code != int(exit) || rest != "\n and ended\n" || s.errs.String() != "" {
			t.Errorf("%v: exit %d, then printed %q, told %q", sig, code, rest, s.errs)
		}
		r := ran{sent: sentIn(t, rec)}
		if !strings.HasSuffix(r.methods(), "session/prompt session/cancel") {
			t.Errorf("%v: sent %s", sig, r.methods())
		}
	}
}

func TestASecondSignalDoesNotWait(t *testing.T) {
	t.Parallel()
	rec := filepath.Join(t.TempDir(), "rec")
	s := start(t, cancellable("deaf", "await session/cancel", chunk1("!"), "hang"), rec, "begun", "prompt", "hi")
	begin := time.Now()
	s.Process.Signal(syscall.SIGINT)
	if line, err := s.out.ReadString('!'); err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	s.Process.Signal(syscall.SIGINT)
	code, _ := s.end(t)
	// Alone, a turn that is never confirmed (5 s) and a deaf agent (7 s) take 12 s.
	if code != int(ExitInterrupted) || time.Since(begin) > 10*time.Second {
		t.Errorf("exit %d after %v", code, time.Since(begin))
	}
}

// SIGQUIT ends at once, as a user of the terminal means it: no dump, and the
// agent does not live on.
func TestSIGQUITEndsAtOnce(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	agent := cancellable("deaf", "hang")
	file := filepath.Join(t.TempDir(), "agent")
	write(t, file, agent)
	cmd := exec.CommandContext(t.Context(), "acptool", "prompt", "hi", "--", "sh", "-c", `echo $$ >"$0"; exec fakeagent "$1"`, pidFile, file)
	out, errs := startPiped(t, cmd)
	if _, err := io.ReadFull(out, make([]byte, len("begun"))); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	begin := time.Now()
	cmd.Process.Signal(syscall.SIGQUIT)
	io.Copy(io.Discard, out)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != int(ExitQuit) || errs.String() != "" || time.Since(begin) > 4*time.Second {
		t.Errorf("exit %d after %v, told %q", code, time.Since(begin), errs.String())
	}
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("the agent lives on: %v", err)
	}
}

// nohup: what is ignored when we start stays ignored.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "agent")
	write(t, file, cancellable(`reply {"stopReason":"end_turn"}`))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `trap "" HUP; exec acptool prompt hi -- sh -c 'kill -HUP $PPID; exec fakeagent "$0"' "$0"`, file)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "begun\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// Whoever reads our stdout goes away: the turn is cancelled, nothing is said,
// and the status is that of SIGPIPE.
func TestStdoutClosedEarly(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"", "--updates"} {
		rec := filepath.Join(t.TempDir(), "rec")
		gone := filepath.Join(t.TempDir(), "gone")
		agent := cancellable("repeat 2000", chunk1(strings.Repeat("x", 1000)), "end", "await session/cancel", `send {"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}`, "write "+gone+" yes")
		args := []string{"prompt", "hi"}
		first := "begun"
		if flag != "" {
			args, first = append(args, flag), `{"sessionUpdate"`
		}
		s := start(t, agent, rec, first, args...)
		s.pipe.Close()
		s.Wait()
		if code := s.ProcessState.ExitCode(); code != int(ExitOutputClosed) || s.errs.String() != "" {
			t.Errorf("%s: exit %d, told %q", flag, code, s.errs)
		}
		if _, err := os.Stat(gone); err != nil {
			t.Errorf("%s: the turn was not cancelled: %v", flag, err)
		}
	}
}

func TestStdoutClosedDuringAHistory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "agent")
	write(t, file, agent1(`{"loadSession":true}`)+on("session/load", "repeat 2000", chunk1(strings.Repeat("x", 1000)), "end", "reply {}")+"serve\n")
	cmd := exec.CommandContext(t.Context(), "acptool", "resume", "S", "--replay", "--jq", ".content.text", "--", "fakeagent", file)
	out, errs := startPiped(t, cmd)
	out.Read(make([]byte, 1))
	out.Close()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != int(ExitOutputClosed) || errs.String() != "" {
		t.Errorf("exit %d, told %q", code, errs.String())
	}
}

// startPiped starts a command and gives its stdout, and what it says on stderr.
func startPiped(t *testing.T, cmd *exec.Cmd) (io.ReadCloser, *bytes.Buffer) {
	t.Helper()
	errs := &bytes.Buffer{}
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return out, errs
}

// What was played stands in the JUnit file, whoever reads our stdout.
func TestStdoutClosedBeforeTheJUnitFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "acptool", "prompt", "-q", "hi", "--record", "rec", "--agent", "@demo-v1")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd = exec.CommandContext(t.Context(), "acptool", "replay", "rec", "rec", "--junit", "j.xml", "--agent", "@demo-v1")
	cmd.Dir, cmd.Stdout = dir, w
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cmd.Run()
	w.Close()
	text, err := os.ReadFile(filepath.Join(dir, "j.xml"))
	if code := cmd.ProcessState.ExitCode(); code != int(ExitOutputClosed) || strings.Count(string(text), "<testcase") != 1 {
		t.Errorf("exit %d, told %q, wrote %q, %v", code, errs.String(), text, err)
	}
}

func TestSIGPIPEIsNotIgnoredByAgents(t *testing.T) {
	t.Parallel()
	// An ignored SIGPIPE would be inherited; the shell then survives a write
	// to a closed pipe with an error of its own.
	agent := `sh -c 'grep SigIgn /proc/self/status >&2; exit 1'`
	if _, err := os.Stat("/proc/self/status"); err != nil {
		agent = `sh -c 'echo "SigIgn: 0000000000000000" >&2; exit 1'`
	}
	out, _ := exec.CommandContext(t.Context(), "acptool", "status", "-a", agent).CombinedOutput()
	_, mask, ok := strings.Cut(string(out), "SigIgn:")
	mask = strings.TrimSpace(strings.SplitN(mask, "\n", 2)[0])
	if !ok || len(mask) != 16 || strings.ContainsRune("13579bdf", rune(mask[12])) {
		// SIGPIPE is 13: bit 12, the lowest bit of the fourth digit from the right.
		t.Errorf("signals ignored by the agent: %q in %s", mask, out)
	}
}

func TestATimeoutCancelsTheTurn(t *testing.T) {
	t.Parallel()
	rec := filepath.Join(t.TempDir(), "rec")
	agent := cancellable("await session/cancel", `send {"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled"}}`)
	s := start(t, agent, rec, "begun", "prompt", "hi", "--timeout", "1")
	code, _ := s.end(t)
	r := ran{sent: sentIn(t, rec)}
	if code != int(ExitTimeout) || !strings.Contains(s.errs.String(), "timed out after 1s in session/prompt") || !strings.HasSuffix(r.methods(), "session/cancel") {
		t.Errorf("exit %d, told %q, sent %s", code, s.errs, r.methods())
	}
}

// --version goes its own way; a stdout that nobody reads ends it as any other
// command.
func TestVersionWithStdoutClosed(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--version"}, {"-V"}, {"help"}} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		cmd := exec.CommandContext(t.Context(), "acptool", args...)
		errs := &bytes.Buffer{}
		cmd.Stdout, cmd.Stderr = write, errs
		_ = cmd.Run()
		write.Close()
		if code := cmd.ProcessState.ExitCode(); code != int(ExitOutputClosed) || errs.Len() > 0 {
			t.Errorf("%q: exit %d, told %q", args, code, errs)
		}
	}
}
