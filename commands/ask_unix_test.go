//go:build linux || darwin

package commands

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// person sits at the terminal that the tool runs on.
type person struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File // the person's end
	text chan []byte
	seen bytes.Buffer
}

// sit starts the tool with a terminal of its own. Where stdin or stdout are
// given, only the others are the terminal.
func sit(t *testing.T, stdin io.Reader, stdout io.Writer, args ...string) *person {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, cmd: exec.Command("acptool", args...), tty: ptmx, text: make(chan []byte, 64)}
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = append(os.Environ(), "HOME="+p.cmd.Dir, "XDG_STATE_HOME=", "TERM=xterm", "NO_COLOR=1")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	if stdin != nil {
		p.cmd.Stdin = stdin
	}
	if stdout != nil {
		p.cmd.Stdout = stdout
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	// This goroutine ends when the terminal has no other end any more.
	go func() {
		defer close(p.text)
		for {
			b := make([]byte, 4096)
			n, err := ptmx.Read(b)
			if n > 0 {
				p.text <- b[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		for range p.text {
		}
		p.cmd.Wait()
		ptmx.Close()
	})
	return p
}

// sees waits for a text on the terminal and gives what came before it.
func (p *person) sees(text string) string {
	p.t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	for !strings.Contains(p.seen.String(), text) {
		select {
		case b, ok := <-p.text:
			if !ok {
				p.t.Fatalf("the tool ended, and %q was never seen: %q", text, p.seen.String())
			}
			p.seen.Write(b)
		case <-deadline.C:
			p.t.Fatalf("no %q in %q", text, p.seen.String())
		}
	}
	before, rest, _ := strings.Cut(p.seen.String(), text)
	p.seen.Reset()
	p.seen.WriteString(rest)
	return before
}

func (p *person) types(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.tty, keys); err != nil {
		p.t.Fatal(err)
	}
}

// end waits for the tool, and gives its status and what was not seen yet.
func (p *person) end() (int, string) {
	p.t.Helper()
	for b := range p.text {
		p.seen.Write(b)
	}
	p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode(), p.seen.String()
}

const permissionRequest = `send {"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"S","toolCall":{"toolCallId":"t","title":"write \u001b[2Jtea.txt","kind":"edit"},"options":[{"optionId":"no","name":"No","kind":"reject_once"},{"optionId":"go","name":"Go","kind":"allow_once"}]}}`

// asking is an agent that asks for permission and says what came of it.
func asking(t *testing.T, after ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent")
	ask := permissionRequest
	write(t, file, agent1(`{}`)+"expect session/new\n"+newS+"\nexpect session/prompt\n"+ask+"\n"+strings.Join(after, "\n")+"\n")
	return file
}

// chosen says what was answered, then ends the turn.
func chosen(member, stop string) []string {
	return []string{
		"expect-answer",
		update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${result.outcome.` + member + `}}}`),
		`send {"jsonrpc":"2.0","id":3,"result":{"stopReason":"` + stop + `"}}`,
	}
}

func TestAPersonIsAskedForPermission(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ keys, outcome string }{
		"allow":     {"2\n", "go"},
		"reject":    {"1\n", "no"},
		"nothing":   {"\n", "no"},
		"not clear": {"yes\n3\n0\n2\n", "go"},
		"EOF":       {"\x04", "no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := sit(t, nil, nil, "prompt", "hi", "--permission", "ask", "--", "fakeagent", asking(t, chosen("optionId", "end_turn")...))
			p.sees(`The agent asks for permission: write \e[2Jtea.txt (edit)`)
			p.sees("2  Go (allow_once)")
			p.sees("Number, or empty to refuse: ")
			p.types(c.keys)
			code, rest := p.end()
			if code != 0 || !strings.HasSuffix(rest, c.outcome+"\r\n") || strings.Contains(rest, "asks for permission") || strings.Contains(rest, "note:") {
				t.Errorf("exit %d, %q", code, rest)
			}
		})
	}
}

// What helps a person is said on a terminal only: scripts find stderr empty.
func TestAsidesAreForATerminal(t *testing.T) {
	t.Parallel()
	for text, args := range map[string][]string{
		"note: no recordings in ":                 {"recordings"},
		"waiting for the first (Ctrl-C ends)":     {"show", "-f"},
		"note: man may not look there; this does": {"help", "--man", "pages"},
	} {
		sit(t, nil, nil, args...).sees(text)
	}
}

// Questions that come together are put one after the other: each answer belongs
// to the question above it.
func TestOneQuestionAtATime(t *testing.T) {
	t.Parallel()
	second := strings.NewReplacer(`"id":0`, `"id":"b"`, `write \u001b[2Jtea.txt`, "second", `"no"`, `"no2"`, `"go"`, `"go2"`).Replace(permissionRequest)
	end := chosen("optionId", "end_turn")
	p := sit(t, nil, nil, "prompt", "hi", "--permission", "ask", "--", "fakeagent", asking(t, append([]string{second}, append(end[:2:2], end...)...)...))
	all := ""
	for range 2 {
		question := p.sees("Number, or empty to refuse: ")
		p.types("what?\n")
		again := p.sees("Number, or empty to refuse: ")
		if strings.Contains(again, "asks for permission") {
			t.Errorf("another question stands between: %q", question+again)
		}
		if !strings.Contains(again, `"what?" is none of them`) {
			t.Errorf("asked again without a reason: %q", again)
		}
		all += question + again
		if strings.Contains(question, "permission: second") {
			p.types("1\n")
		} else {
			p.types("2\n")
		}
	}
	code, rest := p.end()
	if all += rest; code != 0 || strings.Count(all, "no2") != 1 || strings.Count(all, "go") != 1 {
		t.Errorf("exit %d, %q", code, all)
	}
}

// Ctrl-C while the question stands cancels the turn: nobody has to answer any
// more.
func TestCtrlCAnswersTheQuestion(t *testing.T) {
	t.Parallel()
	after := append([]string{"expect session/cancel"}, chosen("outcome", "cancelled")...)
	p := sit(t, nil, nil, "prompt", "hi", "--permission", "ask", "--", "fakeagent", asking(t, after...))
	p.sees("Number, or empty to refuse: ")
	p.types("\x03")
	if code, rest := p.end(); code != int(ExitInterrupted) || !strings.Contains(rest, "cancelled\r\n") {
		t.Errorf("exit %d, %q", code, rest)
	}
}

// The prompt may come from a pipe and the answer go into one: the question is
// put to the terminal all the same.
func TestAPersonIsAskedBesidePipes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := sit(t, strings.NewReader("from a pipe"), &out, "prompt", "--permission", "ask", "--", "fakeagent", asking(t, chosen("optionId", "end_turn")...))
	p.sees("Number, or empty to refuse: ")
	p.types("2\n")
	if code, rest := p.end(); code != 0 || out.String() != "go\n" {
		t.Errorf("exit %d, printed %q; on the terminal: %q", code, out.String(), rest)
	}
}
