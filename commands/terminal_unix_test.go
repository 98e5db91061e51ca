//go:build linux || darwin

package commands

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// onTerminal runs the tool with a terminal as stdout and gives what that got.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	cmd := exec.Command("acptool", args...)
	cmd.Stdout = tty
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
		t.Fatalf("%q: %v\n%s", args, err, text)
	}
	return text
}

func TestNothingOfTheAgentSteersTheTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agent := filepath.Join(dir, "agent")
	write(t, agent, agent1(`{}`)+on("session/new", `reply {"sessionId":"a\u001b]0;title\u0007b"}`)+"serve\n")
	if got := onTerminal(t, "new", "-q", "--color", "never", "--", "fakeagent", agent); got != `a\e]0;title\x07b`+"\r\n" {
		t.Errorf("new: %q", got)
	}
	file := filepath.Join(dir, "x.acp.jsonl")
	write(t, file, `{"from":"agent","text":"noise\u001b[2J"}
{"from":"agent","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"text\u001b[2J"}}}}}
`)
	for _, format := range showFormats() {
		got := onTerminal(t, "show", file, "--color", "never", "--format", format)
		if strings.ContainsRune(got, '\x1b') || format == formatMarkdown && !strings.Contains(got, `text\e[2J`) {
			t.Errorf("%s: %q", format, got)
		}
	}
}
