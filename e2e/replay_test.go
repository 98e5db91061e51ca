//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"testing"
)

// inOwnOrder puts what the client's steps gave behind the updates. The SDK
// hands an update and an answer that came in one read to different tasks, so
// which of them it shows first is chance; a replay often puts them into one.
func inOwnOrder(o outcome) outcome {
	lines := strings.SplitAfter(o.stdout, "\n")
	slices.SortStableFunc(lines, func(a, b string) int {
		return strings.Compare(class(a), class(b))
	})
	o.stdout = strings.Join(lines, "")
	return o
}

func class(line string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, `{"`), `"`)
	return name
}

// TestReplayedAgentIsTheAgent: the SDK's client cannot tell the replay of a
// session from the agent it was recorded with, nor can this tool, and the
// agent itself still does what was recorded.
func TestReplayedAgentIsTheAgent(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		t.Run("v"+protocol, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			live := p.client(protocol, scenarioOf(protocol), append([]string{tool, "record", "-o", "kept.acp.jsonl", "--"}, p.agent...)...).wantExit(t, 0)
			again := p.client(protocol, scenarioOf(protocol), tool, "replay", "--complete", "kept.acp.jsonl").wantExit(t, 0)
			sameTranscript(t, inOwnOrder(live), inOwnOrder(again))
			p.run.acptool("replay", "kept.acp.jsonl", "--", p.agent[0], p.agent[1]).wantExit(t, 0)
		})
	}
}

// TestReplayTellsWhereAnAgentDrifted: silent about the agent that was recorded;
// a diff at the right frame about one that was changed, which --update accepts.
func TestReplayTellsWhereAnAgentDrifted(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		t.Run("v"+protocol, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			text := "say:one_thing edit plan usage"
			p.acptool("prompt", "--protocol", protocol, "--permission", "allow", "--record", "kept.acp.jsonl", text).wantExit(t, 0)
			p.acptool("replay", "kept.acp.jsonl").wantExit(t, 0)
			live := p.acptool("prompt", "--protocol", protocol, "--permission", "allow", "--json", text).wantExit(t, 0)
			again := p.run.acptool("prompt", "--protocol", protocol, "--permission", "allow", "--json", text, "--", tool, "replay", "kept.acp.jsonl")
			again.want(t, 0, live.stdout)

			changed := newPeer(t, "PEER_WITHOUT=list")
			changed.dir = p.dir
			o := changed.acptool("replay", "kept.acp.jsonl").wantExit(t, map[string]int{"1": 1, "2": 0}[protocol])
			if protocol == "1" && !strings.Contains(o.stdout, "step 2: the answer to initialize differs\n      /result/agentCapabilities/sessionCapabilities/list: recorded {}, now missing\n") {
				t.Errorf("told: %s", o.stdout)
			}
			changed.acptool("replay", "--update", "kept.acp.jsonl").wantExit(t, 0)
			changed.acptool("replay", "kept.acp.jsonl").wantExit(t, 0)
		})
	}
}

// TestDemoServesTheSDK: the demo is an agent as any other for the SDK's client.
func TestDemoServesTheSDK(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		t.Run("v"+protocol, func(t *testing.T) {
			t.Parallel()
			r := newRun(t)
			o := r.client(protocol, []string{"new", "prompt=hello", "status", "auth", "list", "prompt=again", "replay", "close", "status=nobody"}, tool, "replay").wantExit(t, 0)
			for _, want := range []string{`"step":"prompt=hello","result"`, `"step":"prompt=again","result"`, `"step":"close","result":{}`, `-32002`, `The line would be in hello.txt now`} {
				if !strings.Contains(strings.ReplaceAll(o.stdout, ", \"", ",\""), want) && !strings.Contains(o.stdout, want) {
					t.Errorf("%s is missing in\n%s", want, o.stdout)
				}
			}
		})
	}
}
