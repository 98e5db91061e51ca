package acp

import (
	"encoding/json"
	"testing"
)

func TestS36StatusMarkerOfTheNegotiatedVersion(t *testing.T) {
	const (
		in1 = `{"sessionCapabilities":{"status":{}}}`
		in2 = `{"session":{"status":{}}}`
	)
	tests := []struct {
		v    Version
		caps string
		want bool
	}{
		{V1, in1, true}, {V1, in2, false}, {V2, in2, true}, {V2, in1, false},
		{V1, ``, false}, {V2, `null`, false}, {V2, `[]`, false}, {V2, `{"session":[]}`, false},
	}
	for _, tt := range tests {
		if got := NewCapabilities(tt.v, json.RawMessage(tt.caps)).SessionStatus(); got != tt.want {
			t.Errorf("version %d, %s: got %v", tt.v, tt.caps, got)
		}
	}
}

func TestS38S39MarkerValues(t *testing.T) {
	values := map[string]bool{
		`{}`: true, `{"_meta":{"a":1}}`: true, ` { } `: true,
		`null`: false, `true`: false, `false`: false, `1`: false, `"yes"`: false, `[]`: false, `"{}"`: false,
	}
	for value, want := range values {
		one := NewCapabilities(V1, json.RawMessage(`{"sessionCapabilities":{"status":`+value+`}}`))
		two := NewCapabilities(V2, json.RawMessage(`{"session":{"status":`+value+`}}`))
		if one.SessionStatus() != want || two.SessionStatus() != want {
			t.Errorf("%s: got %v and %v, want %v", value, one.SessionStatus(), two.SessionStatus(), want)
		}
	}
}

func TestA05A06AuthStatusMarker(t *testing.T) {
	values := map[string]bool{
		`{"auth":{"status":true}}`:                            true,
		`{"auth":{"status":{}}}`:                              true,
		`{"auth":{"status":{"_meta":null}}}`:                  true,
		`{"auth":{"status":false}}`:                           false,
		`{"auth":{"status":null}}`:                            false,
		`{"auth":{"status":1}}`:                               false,
		`{"auth":{"status":"true"}}`:                          false,
		`{"auth":{"logout":{},"terminal":true}}`:              false,
		`{"auth":{"_meta":{"authStatus":{}}}}`:                false,
		`{"auth":{"status":true,"logout":null,"terminal":0}}`: true,
		`{}`: false,
	}
	for caps, want := range values {
		for _, v := range []Version{V1, V2} {
			if got := NewCapabilities(v, json.RawMessage(caps)).AuthStatus(); got != want {
				t.Errorf("version %d, %s: got %v", v, caps, got)
			}
		}
	}
}

func TestU06SessionSurface(t *testing.T) {
	for caps, want := range map[string]bool{
		`{"session":{}}`: true, `{}`: false, `{"session":null}`: false, `{"session":true}`: false,
	} {
		p := peer2(caps)
		for _, method := range []string{"session/new", "session/resume", "session/close", "session/prompt", "session/list"} {
			if got := p.Offers(method) == nil; got != want {
				t.Errorf("%s: %s offered: %v", caps, method, got)
			}
		}
	}
}

func TestCapabilitiesOfBothShapes(t *testing.T) {
	one := NewCapabilities(V1, json.RawMessage(`{"loadSession":true,
		"promptCapabilities":{"image":true,"audio":false,"embeddedContext":{}},
		"mcpCapabilities":{"http":true,"sse":true},
		"sessionCapabilities":{"list":{},"additionalDirectories":{},"close":true},
		"auth":{"logout":{}}}`))
	two := NewCapabilities(V2, json.RawMessage(`{"session":{
		"prompt":{"image":{},"audio":true,"embeddedContext":null},
		"mcp":{"http":{},"sse":{}},"additionalDirectories":{}}}`))
	type view struct {
		Image, Audio, Embedded, Stdio, HTTP, SSE, List, Close, Dirs, Load, Replay, Resume, Logout bool
	}
	of := func(c Capabilities) view {
		return view{c.PromptImage(), c.PromptAudio(), c.PromptEmbedded(), c.MCPStdio(), c.MCPHTTP(), c.MCPSSE(),
			c.List(), c.CloseSession(), c.AdditionalDirectories(), c.Load(), c.CanReplay(), c.Resume(), c.Logout()}
	}
	if got, want := of(one), (view{Image: true, Stdio: true, HTTP: true, SSE: true, List: true, Dirs: true, Load: true, Replay: true, Logout: true}); got != want {
		t.Errorf("version 1: got %+v", got)
	}
	if got, want := of(two), (view{Image: true, HTTP: true, List: true, Close: true, Dirs: true, Replay: true, Resume: true}); got != want {
		t.Errorf("version 2: got %+v", got)
	}
	if got := of(Capabilities{}); got != (view{}) {
		t.Errorf("zero value offers %+v", got)
	}
}
