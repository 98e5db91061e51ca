package acp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// InitializeParams is the exact payload of initialize. Auto offers version 2
// with the fields of both dialects, so that one request suits every agent;
// 1 and 2 send that version's fields alone. extra is merged in as a JSON merge
// patch (RFC 7396): objects member by member, null removes.
func InitializeParams(choice Choice, info Implementation, methods ClientMethods, extra json.RawMessage) (json.RawMessage, error) {
	type params struct {
		ProtocolVersion    int             `json:"protocolVersion"`
		ClientCapabilities map[string]any  `json:"clientCapabilities,omitempty"`
		ClientInfo         *Implementation `json:"clientInfo,omitempty"`
		Capabilities       map[string]any  `json:"capabilities,omitzero"`
		Info               *Implementation `json:"info,omitempty"`
	}
	p := params{ProtocolVersion: int(V2)}
	if choice == Only1 {
		p.ProtocolVersion = int(V1)
	}
	if choice != Only2 {
		p.ClientInfo = &info
		p.ClientCapabilities = clientCapabilities(methods)
	}
	if choice != Only1 {
		p.Info = &info
		p.Capabilities = map[string]any{}
	}
	raw, err := encode(p)
	if err != nil || len(bytes.TrimSpace(extra)) == 0 {
		return raw, err
	}
	if asObject(extra) == nil {
		return nil, usagef("the parameters to merge into initialize are not a JSON object")
	}
	return mergePatch(raw, extra)
}

// clientCapabilities is version 1's object. Version 1 agents send some drafts
// only to clients that ask: we ask for what we can show or set. Files and
// terminals stand in it only where they are served.
func clientCapabilities(methods ClientMethods) map[string]any {
	empty := map[string]any{}
	caps := map[string]any{
		"fs":       map[string]any{"readTextFile": false, "writeTextFile": false},
		"terminal": false,
		"session": map[string]any{
			"notices":       empty,
			"compaction":    empty,
			"configOptions": map[string]any{"boolean": empty},
		},
		"plan":      empty,
		"subagents": empty,
	}
	if methods != nil {
		advertised, _ := methods.Advertise()
		for name, value := range advertised {
			caps[name] = value
		}
	}
	return caps
}

// mergePatch applies a JSON merge patch (RFC 7396).
func mergePatch(target, patch json.RawMessage) (json.RawMessage, error) {
	p := asObject(patch)
	if p == nil {
		return patch, nil
	}
	t := asObject(target)
	if t == nil {
		t = object{}
	}
	for name, value := range p {
		if string(value) == "null" {
			delete(t, name)
			continue
		}
		merged, err := mergePatch(t[name], value)
		if err != nil {
			return nil, err
		}
		t[name] = merged
	}
	return encode(t)
}

// decodeInitialize reads the result of initialize. warn is told of breaches
// that do no harm.
func decodeInitialize(choice Choice, result json.RawMessage, warn func(string)) (Peer, error) {
	p := Peer{Raw: result}
	o := asObject(result)
	if o == nil {
		return p, &ProtocolError{Method: "initialize", Message: "the answer is no object", Line: result}
	}
	number, err := versionNumber(o, result)
	if err != nil {
		return p, err
	}
	v := Version(number)
	_, hasInfo := o["info"]
	_, hasCaps := o["capabilities"]
	if v == V2 && asObject(o["agentCapabilities"]) != nil && !hasInfo && !hasCaps {
		// An agent that hands back whatever number it was offered.
		v = V1
		if choice.accepts(V1) {
			warn("the agent answers version 2 in the shape of version 1; it is treated as version 1")
		}
	}
	if !choice.accepts(v) {
		return p, &VersionError{Ours: choice.offered(), Theirs: []int{int(v)}}
	}
	p.Protocol = v
	caps, info := o["agentCapabilities"], o["agentInfo"]
	if v == V2 {
		caps, info = o["capabilities"], o["info"]
		if asObject(info) == nil {
			warn("the answer to initialize lacks the object info, which version 2 requires")
		}
	}
	p.Caps = NewCapabilities(v, caps)
	if i := asObject(info); i != nil {
		p.Info = Implementation{Name: str(i["name"]), Title: str(i["title"]), Version: str(i["version"])}
	}
	p.AuthMethods = decodeAuthMethods(v, o["authMethods"])
	return p, nil
}

// versionNumber reads protocolVersion: an integer. A date in its place is what
// servers of the Model Context Protocol answer.
func versionNumber(o object, result json.RawMessage) (int, error) {
	raw, ok := o["protocolVersion"]
	if !ok {
		return 0, &ProtocolError{Method: "initialize", Message: "the answer lacks the integer protocolVersion", Line: result}
	}
	var text string
	_ = json.Unmarshal(raw, &text) // "" where it is none
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		return 0, &ProtocolError{
			Method:  "initialize",
			Message: "this is a server of the Model Context Protocol, not an ACP agent: it answers protocol version " + string(raw),
			Line:    result,
			Hint:    "name such a server with --mcp-config",
		}
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		f, ferr := strconv.ParseFloat(string(raw), 64)
		if ferr != nil || f != float64(int(f)) {
			return 0, &ProtocolError{Method: "initialize", Message: "protocolVersion is no integer: " + string(raw), Line: result}
		}
		n = int(f)
	}
	return n, nil
}

// isLanguageServer recognises the header that servers of the Language Server
// Protocol put before each message.
func isLanguageServer(line []byte) bool {
	const header = "content-length:"
	return len(line) >= len(header) && strings.EqualFold(string(line[:len(header)]), header)
}

func languageServerError(line []byte) error {
	return &ProtocolError{
		Method:  "initialize",
		Message: "this speaks the Language Server Protocol, not ACP: its messages begin with a Content-Length header",
		Line:    line,
	}
}

// versionsOf reads the data of error -32022: {requested, supported}.
func versionsOf(data json.RawMessage) []int {
	var list []int
	if json.Unmarshal(asObject(data)["supported"], &list) != nil {
		return nil
	}
	return list
}
