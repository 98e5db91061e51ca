package acp

import (
	"bytes"
	"encoding/json"
)

// Capabilities is one view over what an agent advertised, whichever version's
// shape it came in. The zero value offers nothing.
//
// Support markers follow the rule of protocol version 2 and of the session
// markers of version 1: present and an object means yes; omitted, null or
// anything else means no ("an invalid value means the capability is
// unsupported", session-status RFD). The booleans of version 1 mean yes only
// when they are true. Markers count in the negotiated version's place only.
type Capabilities struct {
	version Version
	raw     json.RawMessage
	root    object
}

// object is a JSON object whose members are still raw.
type object map[string]json.RawMessage

// NewCapabilities makes the view of v's capabilities object (agentCapabilities
// in version 1, capabilities in version 2) as it came. nil is fine.
func NewCapabilities(v Version, raw json.RawMessage) Capabilities {
	return Capabilities{version: v, raw: raw, root: asObject(raw)}
}

// Raw is the object as it came, nil if there was none.
func (c Capabilities) Raw() json.RawMessage { return c.raw }

// Version is the version whose shape the object has.
func (c Capabilities) Version() Version { return c.version }

// asObject is nil for anything that is no JSON object.
func asObject(raw json.RawMessage) object {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// at walks down to a member; nil if any step is missing or no object.
func (c Capabilities) at(path ...string) json.RawMessage {
	o := c.root
	for i, name := range path {
		raw, ok := o[name]
		if !ok {
			return nil
		}
		if i == len(path)-1 {
			return raw
		}
		o = asObject(raw)
	}
	return nil
}

// marker: the member is an object.
func (c Capabilities) marker(path ...string) bool { return asObject(c.at(path...)) != nil }

// flag: the member is true, as version 1 spells some of its capabilities.
func (c Capabilities) flag(path ...string) bool {
	return string(bytes.TrimSpace(c.at(path...))) == "true"
}

// session is a marker beside the others of sessions: sessionCapabilities in
// version 1, capabilities.session in version 2.
func (c Capabilities) session(name string) bool {
	if c.version == V2 {
		return c.marker("session", name)
	}
	return c.marker("sessionCapabilities", name)
}

// Sessions: the agent has session methods at all. Version 2 has them "only if
// capabilities.session is an object"; version 1 always.
func (c Capabilities) Sessions() bool {
	switch c.version {
	case V1:
		return true
	case V2:
		return c.marker("session")
	}
	return false
}

// SessionStatus: session/status may be asked.
func (c Capabilities) SessionStatus() bool { return c.session("status") }

// AuthStatus: auth/status may be asked. This marker is true (auth-status RFD)
// or an object (schema): the one exception to the marker rule.
func (c Capabilities) AuthStatus() bool {
	return c.flag("auth", "status") || c.marker("auth", "status")
}

// Logout: version 1 advertises it; version 2 has auth/logout wherever it has
// login methods, which Peer.Offers knows.
func (c Capabilities) Logout() bool { return c.version == V1 && c.marker("auth", "logout") }

// Resume: session/resume. In version 2 "agents that support the session method
// surface MUST support session/resume" (session setup), so no further marker
// is needed.
func (c Capabilities) Resume() bool {
	if c.version == V2 {
		return c.Sessions()
	}
	return c.session("resume")
}

// Load: session/load, which replays the history. Gone in version 2.
func (c Capabilities) Load() bool { return c.version == V1 && c.flag("loadSession") }

// CanReplay: taking a session up can bring its history along.
func (c Capabilities) CanReplay() bool { return c.Load() || c.version == V2 && c.Sessions() }

// List: session/list.
func (c Capabilities) List() bool {
	if c.version == V2 {
		return c.Sessions()
	}
	return c.session("list")
}

// CloseSession: session/close, which version 2 demands of every agent with
// sessions.
func (c Capabilities) CloseSession() bool {
	if c.version == V2 {
		return c.Sessions()
	}
	return c.session("close")
}

// Delete, Fork, Archive and Title are session/delete, session/fork,
// session/archive with session/unarchive, and session/set_title.
func (c Capabilities) Delete() bool  { return c.session("delete") }
func (c Capabilities) Fork() bool    { return c.session("fork") }
func (c Capabilities) Archive() bool { return c.session("archive") }
func (c Capabilities) Title() bool   { return c.session("title") }

// SystemPrompt: systemPrompt may stand in session requests.
func (c Capabilities) SystemPrompt() bool { return c.session("systemPrompt") }

// AdditionalDirectories: "Clients MUST only send additionalDirectories when the
// Agent advertises session.additionalDirectories" (v2 session setup).
func (c Capabilities) AdditionalDirectories() bool { return c.session("additionalDirectories") }

// Providers: the providers/* methods.
func (c Capabilities) Providers() bool { return c.marker("providers") }

func (c Capabilities) prompt(name string) bool {
	if c.version == V2 {
		return c.marker("session", "prompt", name)
	}
	return c.flag("promptCapabilities", name)
}

// PromptImage, PromptAudio and PromptEmbedded: these content blocks may stand
// in a prompt. Text and resource links always may.
func (c Capabilities) PromptImage() bool    { return c.prompt("image") }
func (c Capabilities) PromptAudio() bool    { return c.prompt("audio") }
func (c Capabilities) PromptEmbedded() bool { return c.prompt("embeddedContext") }

// MCPStdio: stdio servers may be named. Always so in version 1.
func (c Capabilities) MCPStdio() bool {
	return c.version == V1 || c.marker("session", "mcp", "stdio")
}

// MCPHTTP: HTTP servers may be named.
func (c Capabilities) MCPHTTP() bool {
	if c.version == V2 {
		return c.marker("session", "mcp", "http")
	}
	return c.flag("mcpCapabilities", "http")
}

// MCPSSE: SSE servers may be named; version 2 has none.
func (c Capabilities) MCPSSE() bool {
	return c.version == V1 && c.flag("mcpCapabilities", "sse")
}

// MCPACP: servers that the client itself carries (mcp/message).
func (c Capabilities) MCPACP() bool {
	if c.version == V2 {
		return c.marker("session", "mcp", "acp")
	}
	return c.flag("mcpCapabilities", "acp")
}
