//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kinds of peers that the five commands have to understand alike: both versions,
// with the drafts as the SDK's schema has them and as the RFDs spell them.
var kinds = map[string][]string{
	"v1":     {"PEER_VERSIONS=1"},
	"v1-rfd": {"PEER_VERSIONS=1", "PEER_ENTRY=stable", "PEER_SPELLING=rfd"},
	"v2":     {"PEER_VERSIONS=2"},
	"v2-rfd": {"PEER_VERSIONS=2", "PEER_ENTRY=stable", "PEER_SPELLING=rfd"},
}

// eachKind runs a test against a fresh peer of every kind.
func eachKind(t *testing.T, test func(t *testing.T, p *peer, v2 bool), switches ...string) {
	t.Helper()
	for name, own := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newPeer(t, append(slices.Clone(switches), own...)...), !strings.HasPrefix(name, "v1"))
		})
	}
}

// document decodes the one JSON document that a run printed.
func document(t *testing.T, o outcome) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(o.stdout), &doc); err != nil {
		t.Fatalf("stdout is not one JSON document: %v\n%s\nstderr: %s", err, o.stdout, o.stderr)
	}
	return doc
}

// quiet fails the test if a run that went well had something to say.
func quiet(t *testing.T, o outcome) {
	t.Helper()
	if o.stderr != "" {
		t.Errorf("exit 0, but stderr holds %q", o.stderr)
	}
}

// TestNewestCommonVersionIsSpoken: an agent of both versions is asked in 2, unless
// the caller wants otherwise; no common version is a breach.
func TestNewestCommonVersionIsSpoken(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	for protocol, want := range map[string]float64{"auto": 2, "1": 1, "2": 2} {
		if got := document(t, p.acptool("status", "--json", "--protocol", protocol).wantExit(t, 0))["protocol"]; got != want {
			t.Errorf("--protocol %s: %v, want %v", protocol, got, want)
		}
	}
	newPeer(t, "PEER_VERSIONS=1").acptool("status", "--protocol", "2").wantExit(t, 10)
}

func TestPromptSaysWhatTheAgentSaid(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		quiet(t, p.acptool("prompt", "think:hidden say:one_two_three").want(t, 0, "one two three\n"))
	})
}

func TestPromptFoldsTheTurn(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, v2 bool) {
		turn := document(t, p.acptool("prompt", "--json", "--permission", "allow", "think:hmm edit run plan usage say:done").wantExit(t, 0))
		if turn["text"] != "done" || turn["stopReason"] != "end_turn" || turn["sessionId"] != "session-1" {
			t.Errorf("text %q, stopReason %q, sessionId %q", turn["text"], turn["stopReason"], turn["sessionId"])
		}
		var types []string
		for _, item := range turn["items"].([]any) {
			item := item.(map[string]any)
			types = append(types, item["type"].(string))
			if item["type"] == "tool_call" && item["status"] != "completed" {
				t.Errorf("the tool call ended %q", item["status"])
			}
		}
		for _, want := range []string{"user_message", "agent_thought", "tool_call", "permission", "plan", "agent_message"} {
			if !slices.Contains(types, want) {
				t.Errorf("no %s among %q", want, types)
			}
		}
		if v2 != slices.Contains(types, "terminal") {
			t.Errorf("a terminal of the agent's own is for version 2 alone: %q", types)
		}
	})
}

// TestPermissionIsRefusedUnasked: nobody is there, nothing is allowed by
// default, and the turn goes on.
func TestPermissionIsRefusedUnasked(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		o := p.acptool("prompt", "edit both say:went_on").want(t, 0, "went on\n")
		for _, line := range strings.Split(strings.TrimSuffix(o.stderr, "\n"), "\n") {
			if !strings.HasPrefix(line, "acptool: note: permission refused") {
				t.Errorf("stderr holds %q", line)
			}
		}
		quiet(t, p.acptool("prompt", "-q", "edit say:went_on").want(t, 0, "went on\n"))
	})
}

// TestRequestsNobodyKnowsAreAnswered: no request of the agent is left hanging.
func TestRequestsNobodyKnowsAreAnswered(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		p.acptool("prompt", "ask-unknown").want(t, 0, "unknown request: error -32601\n")
		p.acptool("prompt", "elicit").want(t, 0, "elicitation: error -32601\n")
	})
}

func TestStopReasonsAreExitStatuses(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		for reason, exit := range map[string]int{"refusal": 20, "max_tokens": 21, "max_turn_requests": 22, "cancelled": 23} {
			p.acptool("prompt", "say:x stop:"+reason).wantExit(t, exit)
		}
		p.acptool("prompt", "say:half fail:-32603").wantExit(t, 7)
		p.acptool("prompt", "say:half die:3").wantExit(t, 8)
	})
}

// TestEarlyAndLateUpdates: what comes before an answer, or after the end of the
// turn, is not lost.
func TestEarlyAndLateUpdates(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		o := p.acptool("prompt", "--json", "say:in_time late:after").wantExit(t, 0)
		if !strings.Contains(o.stdout, "after") {
			t.Errorf("the late chunk is missing: %s", o.stdout)
		}
		if _, ok := document(t, o)["commands"]; !ok {
			t.Errorf("the early update is missing: %s", o.stdout)
		}
	}, "PEER_EARLY=1")
}

func TestNoiseDoesNotReachStdout(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		o := p.acptool("prompt", "say:one noise:not_a_frame say:two").wantExit(t, 0)
		if strings.Contains(o.stdout, "frame") || !strings.Contains(o.stdout, "one") || !strings.Contains(o.stdout, "two") {
			t.Errorf("stdout %q", o.stdout)
		}
		if !strings.Contains(o.stderr, "not a frame") || !strings.Contains(o.stderr, "this is no JSON") {
			t.Errorf("noise is not reported: %q", o.stderr)
		}
	}, "PEER_NOISE=stdout,stderr,flood")
}

// TestSessionOutlivesTheProcess: a session of one process is asked after, taken
// up and continued by others.
func TestSessionOutlivesTheProcess(t *testing.T) {
	store := func(t *testing.T) string { return "PEER_STORE=" + filepath.Join(t.TempDir(), "store") }
	eachKind(t, func(t *testing.T, p *peer, v2 bool) {
		p.env = append(p.env, store(t))
		p.acptool("prompt", "--session-file", "id", "say:first").want(t, 0, "first\n")
		id, err := os.ReadFile(filepath.Join(p.dir, "id"))
		if err != nil || strings.TrimSpace(string(id)) != "session-1" {
			t.Fatalf("session file: %q, %v", id, err)
		}
		p.acptool("status", "session-1").wantExit(t, 1)
		p.acptool("status", "session-9").wantExit(t, 4)
		p.acptool("resume", "session-9").wantExit(t, 4)
		quiet(t, p.acptool("resume", "session-1").wantExit(t, 0))
		p.acptool("prompt", "--session-file", "id", "say:second").want(t, 0, "second\n")
		p.acptool("prompt", "--session", "session-1", "say:third").want(t, 0, "third\n")
		history := document(t, p.acptool("resume", "--replay", "--json", "session-1").wantExit(t, 0))
		var said []string
		for _, item := range history["items"].([]any) {
			item := item.(map[string]any)
			if item["type"] == "agent_message" {
				said = append(said, item["content"].([]any)[0].(map[string]any)["text"].(string))
			}
		}
		if diff := cmp.Diff([]string{"first", "second", "third"}, said); diff != "" {
			t.Errorf("the replayed history (-want +got):\n%s", diff)
		}
	})
}

// TestStatusSendsNothingElse: after initialize one request crosses the wire.
func TestStatusSendsNothingElse(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		p.acptool("status", "session-1").wantExit(t, 4)
		if diff := cmp.Diff([]string{"initialize", "session/status"}, p.said("client")); diff != "" {
			t.Errorf("the client's messages (-want +got):\n%s", diff)
		}
	})
}

// TestNothingUnadvertisedIsSent: exit 5, and not one request after initialize.
func TestNothingUnadvertisedIsSent(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, v2 bool) {
		commands := [][]string{{"status", "session-1"}, {"auth-status"}, {"delete", "session-1"}, {"new", "--add-dir", p.dir}, {"prompt", "--image", at(t, "peers/dot.png"), "x"}}
		if !v2 { // version 2 has no session without these
			commands = append(commands, []string{"resume", "session-1"}, []string{"list"}, []string{"close", "session-1"}, []string{"prompt", "-s", "session-1", "x"})
		}
		for _, args := range commands {
			_ = os.Remove(p.trace)
			p.acptool(args...).wantExit(t, 5)
			for _, method := range p.said("client") {
				if method != "initialize" && method != "session/new" {
					t.Errorf("%q sent %s", args, method)
				}
			}
		}
	}, "PEER_WITHOUT=status,authstatus,resume,load,list,close,delete,dirs,image")
}

func TestAuthStatus(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		o := p.acptool("auth-status").wantExit(t, 6)
		if !strings.HasPrefix(o.stdout, "unauthenticated") {
			t.Errorf("stdout %q", o.stdout)
		}
		for _, method := range p.said("client") {
			if method != "initialize" && method != "auth/status" {
				t.Errorf("auth-status sent %s", method)
			}
		}
	}, "PEER_LOGIN=required")
}

// TestLoginWhenAsked: -32000 ends with 6 unless a method was named, whether it
// comes at once or only at the first prompt.
func TestLoginWhenAsked(t *testing.T) {
	for _, when := range []string{"required", "prompt"} {
		t.Run(when, func(t *testing.T) {
			eachKind(t, func(t *testing.T, p *peer, _ bool) {
				o := p.acptool("prompt", "say:in").wantExit(t, 6)
				if !strings.Contains(o.stderr, "key") {
					t.Errorf("the methods are not listed: %q", o.stderr)
				}
				p.acptool("prompt", "--auth", "key", "say:in").want(t, 0, "in\n")
				p.acptool("new", "--auth", "key").want(t, 0, "session-1\n")
			}, "PEER_LOGIN="+when)
		})
	}
}

func TestAgentThatDiesOrIsMute(t *testing.T) {
	for _, method := range []string{"initialize", "session/new", "session/prompt"} {
		t.Run(filepath.Base(method), func(t *testing.T) {
			t.Parallel()
			dies := newPeer(t, "PEER_DIE="+filepath.Base(method))
			o := dies.acptool("prompt", "x").wantExit(t, 8)
			if !strings.Contains(o.stderr, "7") {
				t.Errorf("the agent's exit status is not shown: %q", o.stderr)
			}
			mute := newPeer(t, "PEER_MUTE="+method)
			doc := document(t, mute.acptool("prompt", "--timeout", "1s", "--json", "x").wantExit(t, 9))
			if doc["error"] == nil {
				t.Errorf("no error in %v", doc)
			}
		})
	}
}

func TestSessionsAreListedClosedDeleted(t *testing.T) {
	eachKind(t, func(t *testing.T, p *peer, _ bool) {
		p.env = append(p.env, "PEER_STORE="+filepath.Join(t.TempDir(), "store"))
		for range 3 { // more than a page
			p.acptool("prompt", "say:x").wantExit(t, 0)
		}
		o := p.acptool("list", "--json").wantExit(t, 0)
		if n := strings.Count(o.stdout, `"sessionId"`); n != 3 {
			t.Errorf("%d sessions listed: %s", n, o.stdout)
		}
		p.acptool("delete", "session-2").wantExit(t, 0)
		o = p.acptool("list", "--json").wantExit(t, 0)
		if strings.Contains(o.stdout, `"session-2"`) || strings.Count(o.stdout, `"sessionId"`) != 2 {
			t.Errorf("after delete: %s", o.stdout)
		}
		p.acptool("call", "session/list", `{"cursor":"after-1"}`).wantExit(t, 0)
	})
}

// TestClientMethodsOfVersion1: served only when allowed, confined to the roots.
func TestClientMethodsOfVersion1(t *testing.T) {
	t.Parallel()
	p := newPeer(t, "PEER_VERSIONS=1")
	if err := os.WriteFile(filepath.Join(p.dir, "notes.txt"), []byte("kept\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.acptool("prompt", "fs:notes.txt").want(t, 0, "read: error -32601\n")
	p.acptool("prompt", "--fs", "read", "fs:notes.txt").want(t, 0, "read: kept\n")
	o := p.acptool("prompt", "--fs", "read", "fs:../../../../../../etc/hostname").wantExit(t, 0)
	if !strings.HasPrefix(o.stdout, "read: error") {
		t.Errorf("read outside of the roots: %q", o.stdout)
	}
	p.acptool("prompt", "term:echo_hi").want(t, 0, "ran: error -32601\n")
	p.acptool("prompt", "--terminal", "term:echo_hi;exit_3").want(t, 0, "ran: 3 hi\n")
}
