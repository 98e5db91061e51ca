//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scenario is a life of a session, as far as both versions have it.
var scenario = []string{
	"new", "prompt=say:one_thing think:another read edit run both plan usage title:T commands image resource elicit ask-unknown",
	"status", "auth", "cancel=say:begun run wait", "prompt=fail:-32603", "prompt=stop:refusal", "prompt=many:200 big:512",
	"list", "replay", "model=large", "close", "status", "delete", "status=nobody",
}

// scenarioOf adds what only one version, or only the unstable entry point, has.
func scenarioOf(protocol string) []string {
	steps := append([]string{}, scenario...)
	if protocol == "1" {
		return append(steps, "new", "mode=code", "prompt=fs:notes.txt mode")
	}
	return append(steps, "new", "prompt=notice compact agent message custom mode")
}

// sameTranscript fails the test unless the client saw the same in two runs.
// Within what it was told, what it was asked and what it was answered the order
// counts. Between them it does not: the SDK hands an answer over before the
// updates that stood in front of it, if it reads both at once.
func sameTranscript(t *testing.T, want, got outcome) {
	t.Helper()
	for _, kind := range []string{"update", "asked", "step", "exit"} {
		pick := func(o outcome) []string {
			var lines []string
			for line := range strings.Lines(o.stdout) {
				if strings.HasPrefix(line, `{"`+kind) {
					lines = append(lines, line)
				}
			}
			return lines
		}
		w, g := pick(want), pick(got)
		for i := range min(len(w), len(g)) {
			if w[i] != g[i] {
				t.Errorf("%s %d is something else (-want +got):\n%s", kind, i, cmp.Diff(w[i], g[i]))
				return
			}
		}
		if len(w) != len(g) {
			t.Errorf("%d times %s, want %d", len(g), kind, len(w))
		}
	}
}

// TestTapIsNotFelt: the SDK's client sees the same agent, byte for byte as far
// as it can tell, with the tap between and without.
func TestTapIsNotFelt(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		for name, between := range map[string][]string{
			"tap":    {tool, "tap", "--"},
			"record": {tool, "record", "-o", "kept.acp.jsonl", "--"},
			"both":   {tool, "tap", "--record", "kept.acp.jsonl", "--log", "log.txt", "--body", "pretty", "--"},
		} {
			t.Run(name+"/v"+protocol, func(t *testing.T) {
				t.Parallel()
				direct, tapped := newPeer(t), newPeer(t)
				tapped.dir = direct.dir
				want := direct.client(protocol, scenarioOf(protocol), direct.agent...).wantExit(t, 0)
				got := tapped.client(protocol, scenarioOf(protocol), append(between, tapped.agent...)...).wantExit(t, 0)
				sameTranscript(t, want, got)
				if name != "tap" {
					file := filepath.Join(tapped.dir, "kept.acp.jsonl")
					tapped.validate(file, "client")
					if protocol == "1" { // a kind that version 1 has no room for is not sent there
						tapped.validate(file, "agent")
					}
				}
			})
		}
	}
}
