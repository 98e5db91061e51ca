package acp

import (
	"strings"

	"github.com/acptool/acptool/wire"
)

// Method is one method of the protocol: who sends it, in which versions it
// exists, and where the other side advertises that it takes it.
type Method struct {
	Name         string
	From         wire.Party
	Notification bool
	In1, In2     bool   // exists in version 1, 2
	Marker1      string // where version 1 advertises it, from the top of initialize's result (or of its params, for methods from the agent); "" if it needs no advertising
	Marker2      string // the same for version 2

	offered func(Peer) bool // for methods from the client; nil: always
}

// In says whether the method exists in v.
func (m Method) In(v Version) bool { return v == V1 && m.In1 || v == V2 && m.In2 }

// Marker is where v advertises the method.
func (m Method) Marker(v Version) string {
	if v == V2 {
		return m.Marker2
	}
	return m.Marker1
}

// byCap makes an offered function from a capability's accessor.
func byCap(has func(Capabilities) bool) func(Peer) bool {
	return func(p Peer) bool { return has(p.Caps) }
}

func hasLogin(p Peer) bool { return len(p.AuthMethods) > 0 }

// Methods is the table of every method of both versions, drafts included (the
// published schemas of both versions, unstable entry points). A method may
// stand in it once per direction.
func Methods() []Method {
	const (
		s1  = "agentCapabilities.sessionCapabilities."
		s2  = "capabilities.session"
		s2d = s2 + "."
	)
	c, a := wire.Client, wire.Agent
	sessions := byCap(Capabilities.Sessions)
	session := func(name, marker string, has func(Capabilities) bool) Method {
		return Method{Name: name, From: c, In1: true, In2: true, Marker1: s1 + marker, Marker2: s2d + marker, offered: byCap(has)}
	}
	providers := func(name string) Method {
		return Method{Name: name, From: c, In1: true, In2: true, Marker1: "agentCapabilities.providers", Marker2: "capabilities.providers", offered: byCap(Capabilities.Providers)}
	}
	fs := func(name, marker string) Method {
		return Method{Name: name, From: a, In1: true, Marker1: "clientCapabilities." + marker}
	}
	proxy := func(name string, from wire.Party) Method {
		return Method{Name: name, From: from, In1: true, In2: true, Marker1: "a proxy's role", Marker2: "a proxy's role", offered: func(Peer) bool { return false }}
	}
	return []Method{
		{Name: "initialize", From: c, In1: true, In2: true},
		{Name: "authenticate", From: c, In1: true, Marker1: "authMethods", offered: hasLogin},
		{Name: "logout", From: c, In1: true, Marker1: "agentCapabilities.auth.logout", offered: byCap(Capabilities.Logout)},
		{Name: "auth/login", From: c, In2: true, Marker2: "authMethods", offered: hasLogin},
		{Name: "auth/logout", From: c, In2: true, Marker2: "authMethods", offered: hasLogin},
		{Name: "auth/status", From: c, In1: true, In2: true, Marker1: "agentCapabilities.auth.status", Marker2: "capabilities.auth.status", offered: byCap(Capabilities.AuthStatus)},
		providers("providers/list"),
		providers("providers/set"),
		providers("providers/disable"),

		{Name: "session/new", From: c, In1: true, In2: true, Marker2: s2, offered: sessions},
		{Name: "session/load", From: c, In1: true, Marker1: "agentCapabilities.loadSession", offered: byCap(Capabilities.Load)},
		{Name: "session/resume", From: c, In1: true, In2: true, Marker1: s1 + "resume", Marker2: s2, offered: byCap(Capabilities.Resume)},
		{Name: "session/list", From: c, In1: true, In2: true, Marker1: s1 + "list", Marker2: s2, offered: byCap(Capabilities.List)},
		{Name: "session/close", From: c, In1: true, In2: true, Marker1: s1 + "close", Marker2: s2, offered: byCap(Capabilities.CloseSession)},
		session("session/status", "status", Capabilities.SessionStatus),
		session("session/delete", "delete", Capabilities.Delete),
		session("session/fork", "fork", Capabilities.Fork),
		session("session/archive", "archive", Capabilities.Archive),
		session("session/unarchive", "archive", Capabilities.Archive),
		session("session/set_title", "title", Capabilities.Title),
		{Name: "session/prompt", From: c, In1: true, In2: true, Marker2: s2, offered: sessions},
		{Name: "session/cancel", From: c, Notification: true, In1: true, In2: true, Marker2: s2, offered: sessions},
		// What a session may be set to, its own setup answer says (modes,
		// models, configOptions); Set* look there.
		{Name: "session/set_mode", From: c, In1: true, offered: sessions},
		{Name: "session/set_model", From: c, In1: true, offered: sessions},
		{Name: "session/set_config_option", From: c, In1: true, In2: true, Marker2: s2, offered: sessions},
		// Whether one tool call or terminal can be cancelled, its own
		// capabilities.cancel says.
		{Name: "tool_call/cancel", From: c, In2: true, Marker2: s2, offered: sessions},
		{Name: "terminal/cancel", From: c, In2: true, Marker2: s2, offered: sessions},
		{Name: "mcp/message", From: c, Notification: true, In1: true, In2: true, Marker1: "agentCapabilities.mcpCapabilities.acp", Marker2: s2d + "mcp.acp", offered: byCap(Capabilities.MCPACP)},
		{Name: "$/cancel_request", From: c, Notification: true, In1: true, In2: true},
		proxy("proxy/initialize", c),
		proxy("proxy/successor", c),

		{Name: "session/update", From: a, Notification: true, In1: true, In2: true},
		{Name: "session/request_permission", From: a, In1: true, In2: true},
		fs("fs/read_text_file", "fs.readTextFile"),
		fs("fs/write_text_file", "fs.writeTextFile"),
		fs("terminal/create", "terminal"),
		fs("terminal/output", "terminal"),
		fs("terminal/wait_for_exit", "terminal"),
		fs("terminal/kill", "terminal"),
		fs("terminal/release", "terminal"),
		{Name: "elicitation/create", From: a, In1: true, In2: true, Marker1: "clientCapabilities.elicitation", Marker2: "capabilities.elicitation"},
		{Name: "elicitation/complete", From: a, Notification: true, In1: true, In2: true, Marker1: "clientCapabilities.elicitation.url", Marker2: "capabilities.elicitation.url"},
		{Name: "auth/status_update", From: a, Notification: true, In1: true, In2: true},
		{Name: "mcp/message", From: a, In1: true, In2: true},
		{Name: "$/cancel_request", From: a, Notification: true, In1: true, In2: true},
		proxy("proxy/successor", a),
	}
}

// LookupMethod finds a method by who sends it and its name.
func LookupMethod(from wire.Party, name string) (Method, bool) {
	for _, m := range Methods() {
		if m.From == from && m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}

// Offers is nil if the agent advertised that it takes the method, else an
// *UnsupportedError that says where it would have. A method of somebody's own
// (its name begins with "_") counts as advertised where a _meta of the
// agent's answer to initialize names it or its vendor.
func (p Peer) Offers(name string) error {
	if strings.HasPrefix(name, "_") {
		if p.metaNames(name) {
			return nil
		}
		return &UnsupportedError{What: name, Capability: "anything of that name in a _meta", Protocol: p.Protocol}
	}
	m, ok := LookupMethod(wire.Client, name)
	if !ok || !m.In(p.Protocol) {
		return &UnsupportedError{What: name, Protocol: p.Protocol}
	}
	if m.offered != nil && !m.offered(p) {
		return &UnsupportedError{What: name, Capability: m.Marker(p.Protocol), Protocol: p.Protocol}
	}
	return nil
}

// metaNames looks for the method or its vendor ("_vendor/rest") among the
// members of the _meta objects in the answer to initialize.
func (p Peer) metaNames(method string) bool {
	bare := strings.TrimPrefix(method, "_")
	vendor, _, _ := strings.Cut(bare, "/")
	names := func(meta object) bool {
		for _, key := range []string{method, bare, vendor, "_" + vendor} {
			if v, ok := meta[key]; ok && string(v) != "null" && string(v) != "false" {
				return true
			}
		}
		return false
	}
	var walk func(o object) bool
	walk = func(o object) bool {
		for name, raw := range o {
			inner := asObject(raw)
			if inner == nil {
				continue
			}
			if name == "_meta" && names(inner) || name != "_meta" && walk(inner) {
				return true
			}
		}
		return false
	}
	return walk(asObject(p.Raw))
}
