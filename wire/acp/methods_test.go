package acp

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/acptool/acptool/wire"
)

func peer1(caps string) Peer {
	return Peer{Protocol: V1, Caps: NewCapabilities(V1, json.RawMessage(caps)), Raw: json.RawMessage(`{"agentCapabilities":` + caps + `}`)}
}

func peer2(caps string) Peer {
	return Peer{Protocol: V2, Caps: NewCapabilities(V2, json.RawMessage(caps)), Raw: json.RawMessage(`{"capabilities":` + caps + `}`)}
}

func TestOffers(t *testing.T) {
	login := []AuthMethod{{ID: "key"}}
	with := func(p Peer, m []AuthMethod) Peer { p.AuthMethods = m; return p }
	tests := []struct {
		name   string
		peer   Peer
		method string
		ok     bool
		marker string
	}{
		{"v1 new always", peer1(`{}`), "session/new", true, ""},
		{"v1 load", peer1(`{"loadSession":true}`), "session/load", true, ""},
		{"v1 load must be true", peer1(`{"loadSession":{}}`), "session/load", false, "agentCapabilities.loadSession"},
		{"v1 resume", peer1(`{"sessionCapabilities":{"resume":{}}}`), "session/resume", true, ""},
		{"v1 resume absent", peer1(`{}`), "session/resume", false, "agentCapabilities.sessionCapabilities.resume"},
		{"v1 archive marks unarchive", peer1(`{"sessionCapabilities":{"archive":{}}}`), "session/unarchive", true, ""},
		{"v1 login", with(peer1(`{}`), login), "authenticate", true, ""},
		{"v1 no methods", peer1(`{}`), "authenticate", false, "authMethods"},
		{"v1 has no auth/login", with(peer1(`{}`), login), "auth/login", false, ""},
		{"v1 logout", peer1(`{"auth":{"logout":{}}}`), "logout", true, ""},
		{"v2 login", with(peer2(`{}`), login), "auth/login", true, ""},
		{"v2 has no authenticate", with(peer2(`{}`), login), "authenticate", false, ""},
		{"v2 no sessions", peer2(`{}`), "session/new", false, "capabilities.session"},
		{"v2 list with sessions", peer2(`{"session":{}}`), "session/list", true, ""},
		{"v2 delete", peer2(`{"session":{"delete":{}}}`), "session/delete", true, ""},
		{"v2 delete null", peer2(`{"session":{"delete":null}}`), "session/delete", false, "capabilities.session.delete"},
		{"v2 has no set_mode", peer2(`{"session":{}}`), "session/set_mode", false, ""},
		{"providers", peer2(`{"providers":{}}`), "providers/list", true, ""},
		{"agent's method", peer1(`{}`), "fs/read_text_file", false, ""},
		{"no method", peer1(`{}`), "session/frobnicate", false, ""},
		{"proxy", peer1(`{}`), "proxy/initialize", false, "a proxy's role"},
		{"cancel_request", peer1(`{}`), "$/cancel_request", true, ""},
		{"vendor not named", peer1(`{}`), "_acme.example/x", false, "anything of that name in a _meta"},
		{"vendor named", peer1(`{"_meta":{"acme.example":{"x":true}}}`), "_acme.example/x", true, ""},
		{"vendor named deeper", peer2(`{"session":{"_meta":{"_acme":{}}}}`), "_acme/x", true, ""},
		{"vendor named false", peer1(`{"_meta":{"acme":false}}`), "_acme/x", false, "anything of that name in a _meta"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.peer.Offers(tt.method)
			if tt.ok {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var u *UnsupportedError
			if !errors.As(err, &u) {
				t.Fatalf("got %v, want an UnsupportedError", err)
			}
			if u.Capability != tt.marker || u.What != tt.method {
				t.Errorf("got %+v, want marker %q", u, tt.marker)
			}
		})
	}
}

// A method stands once per direction, and a marker stands only where the
// method does.
func TestMethodTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		key := m.From.String() + " " + m.Name
		if seen[key] {
			t.Errorf("%s stands twice", key)
		}
		seen[key] = true
		if !m.In1 && !m.In2 {
			t.Errorf("%s is in no version", key)
		}
		if m.Marker1 != "" && !m.In1 || m.Marker2 != "" && !m.In2 {
			t.Errorf("%s has a marker in a version that lacks it", key)
		}
		if m.From == wire.Agent && m.offered != nil && m.Name != "proxy/successor" {
			t.Errorf("%s: agents do not advertise their own requests", key)
		}
	}
}

func TestS41NoSessionLoadInVersion2(t *testing.T) {
	p := Peer{Protocol: V2, Caps: NewCapabilities(V2, json.RawMessage(`{"loadSession":true,"session":{"loadSession":true}}`))}
	if p.Caps.Load() {
		t.Error("Load is offered")
	}
	var u *UnsupportedError
	if err := p.Offers("session/load"); !errors.As(err, &u) || u.Capability != "" {
		t.Errorf("got %v", err)
	}
}
