//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestDemoIsAnAgentLikeOthers: the SDK's client gets on with the built-in demo,
// in both versions, and all that either says is valid. auth/status alone is left
// out: the demo spells it as the RFD does, which the SDK's schema has moved on from.
func TestDemoIsAnAgentLikeOthers(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		t.Run("v"+protocol, func(t *testing.T) {
			t.Parallel()
			r := newRun(t)
			steps := []string{"new", "prompt=hello", "prompt=hello again", "status", "list", "replay", "status=nobody"}
			o := r.client(protocol, steps, tool, "record", "-o", "demo.acp.jsonl", "--", tool, "replay").wantExit(t, 0)
			for _, line := range strings.Split(o.stdout, "\n") {
				if strings.Contains(line, `"error"`) && !strings.Contains(line, "nobody") {
					t.Errorf("the client was told %s", line)
				}
			}
			for _, want := range []string{"request_permission", "agent_thought", "plan", "usage_update", "-32002"} {
				if !strings.Contains(o.stdout, want) {
					t.Errorf("no %s in the demo", want)
				}
			}
			r.validate(filepath.Join(r.dir, "demo.acp.jsonl"), "client")
			r.validate(filepath.Join(r.dir, "demo.acp.jsonl"), "agent", "auth")
		})
	}
}
