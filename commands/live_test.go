//go:build linux || darwin

package commands

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

const liveScript = `expect initialize
reply {"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}
expect session/new
reply {"sessionId":"s"}
expect session/prompt
send {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"make all","kind":"execute","status":"in_progress"}}}
send {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"done"}}}}
reply {"stopReason":"end_turn"}
expect-eof
`

// promptUnder runs prompt with its stderr on a terminal, or in a pipe.
func promptUnder(t *testing.T, terminal bool, flags ...string) (out, errs string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(file, []byte(liveScript), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append(append([]string{"prompt", "hello"}, flags...), "--", "fakeagent", file)
	cmd := exec.Command("acptool", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if !terminal {
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	cmd.Stderr = tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	seen := make(chan string, 1)
	go func() { // ends when the last holder of the terminal has ended
		b, _ := io.ReadAll(ptmx)
		seen <- string(b)
	}()
	err = cmd.Wait()
	text := <-seen
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return stdout.String(), text
}

func TestPromptShowsAStatusLineOnATerminal(t *testing.T) {
	out, errs := promptUnder(t, true)
	if out != "done\n" {
		t.Errorf("stdout %q", out)
	}
	if !strings.Contains(errs, "waiting for the agent") || !strings.HasSuffix(errs, "\r\x1b[K") {
		t.Errorf("terminal %q", errs)
	}
}

func TestPromptShowsNoStatusLineElsewhere(t *testing.T) {
	if _, errs := promptUnder(t, false); errs != "" {
		t.Errorf("pipe %q", errs)
	}
	if _, errs := promptUnder(t, true, "-q"); errs != "" {
		t.Errorf("quiet %q", errs)
	}
}
