package commands

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A log that was asked for and could not be kept is told of: by a client
// command as a failure, by tap without one, since the editor has its agent.
func TestLogThatCannotBeWrittenIsToldOf(t *testing.T) {
	t.Parallel()
	r := call{agent: turn1(chunk1("x"), endV1), args: []string{"prompt", "hi", "--log", "/dev/full"}}.run(t)
	r.want(t, ExitOwnFailure, "x\n").says(t, "acptool: error: write the log /dev/full: ", "no space left")

	agent := filepath.Join(t.TempDir(), "agent")
	write(t, agent, turn1(endV1))
	cmd := exec.Command("acptool", "tap", "--log", "/dev/full", "--", "fakeagent", agent)
	cmd.Stdin = strings.NewReader("")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "acptool: warning: the log cannot be written: ") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v: %q", err, out)
	}
}
