//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// links are the ways to the SDK's server and what has to hold for each.
func links(t *testing.T, switches ...string) map[string]string {
	t.Helper()
	one := serve(t, switches)
	two := serve(t, switches, "--h2c")
	return map[string]string{"ws": one.WS, "http": one.HTTP, "h2c": two.HTTP}
}

// TestSocketsAreLikeStdio: moving an agent to a socket changes one flag, and its
// sessions outlive the connection.
func TestSocketsAreLikeStdio(t *testing.T) {
	for _, version := range []string{"1", "2"} {
		t.Run("v"+version, func(t *testing.T) {
			for name, address := range links(t, "PEER_VERSIONS="+version) {
				t.Run(name, func(t *testing.T) {
					r := newRun(t)
					kept := filepath.Join(r.dir, "kept.acp.jsonl")
					on := func(args ...string) outcome {
						t.Helper()
						return r.acptool(append(args, "--connect", address)...)
					}
					quiet(t, on("status").wantExit(t, 0))
					id := strings.TrimSpace(on("new").wantExit(t, 0).stdout)
					quiet(t, on("status", id).wantExit(t, 0))
					on("prompt", "-s", id, "--permission", "allow", "--record", kept, "say:over_a_socket edit run").want(t, 0, "over a socket\n")
					r.validate(kept, "client")
					on("prompt", "-s", id, "many:500 say:end").wantExit(t, 0)
					on("prompt", "-s", id, "stop:refusal").wantExit(t, 20)
					if o := on("resume", "--replay", id).wantExit(t, 0); !strings.Contains(o.stdout, "over a socket") {
						t.Errorf("the history is not replayed: %s", o.stdout)
					}
					on("list").wantExit(t, 0)
					on("close", id).wantExit(t, 0)
					on("status", id).wantExit(t, 1)
					on("delete", id).wantExit(t, 0)
					on("status", id).wantExit(t, 4)
				})
			}
		})
	}
}

// TestBridgesAreLikeTheAgent: an SDK client on stdio reaches an agent on a
// socket through the tap, and sees the same.
func TestBridgesAreLikeTheAgent(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		t.Run("v"+protocol, func(t *testing.T) {
			for name, address := range links(t) {
				t.Run(name, func(t *testing.T) {
					r := newRun(t)
					o := r.client(protocol, []string{"new", "prompt=say:bridged edit", "cancel=say:begun wait", "status", "close"}, tool, "tap", "--connect", address).wantExit(t, 0)
					if strings.Contains(o.stdout, `"error"`) || !strings.Contains(o.stdout, "bridged") || !strings.Contains(o.stdout, `"cancelled"`) {
						t.Errorf("the client saw:\n%s", o.stdout)
					}
				})
			}
		})
	}
}

// TestListenersServeTheSDKsClient: an agent that only speaks stdio, and a
// recording, behind a WebSocket of ours.
func TestListenersServeTheSDKsClient(t *testing.T) {
	for _, protocol := range []string{"1", "2"} {
		t.Run("v"+protocol, func(t *testing.T) {
			p := newPeer(t)
			steps := []string{"--protocol", protocol, "new", "prompt=say:listened_to edit", "cancel=say:begun wait", "status", "close"}
			argv := append([]string{"node", at(t, "peers/client.mjs")}, steps...)
			kept := filepath.Join(p.dir, "kept.acp.jsonl")
			address := p.background(append([]string{tool, "tap", "--listen", "ws://127.0.0.1:0/acp", "--record", kept, "--"}, p.agent...)...)
			live := p.do("", append(argv, "--url", address)...).wantExit(t, 0)
			if strings.Contains(live.stdout, `"error"`) || !strings.Contains(live.stdout, "listen") || !strings.Contains(live.stdout, `"cancelled"`) {
				t.Errorf("the client saw:\n%s", live.stdout)
			}
			address = p.background(tool, "replay", "--listen", "ws://127.0.0.1:0/acp", kept)
			sameTranscript(t, live, p.do("", append(argv, "--url", address)...).wantExit(t, 0))
		})
	}
}
