package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
)

// NameValue is one environment variable or HTTP header as ACP writes them.
type NameValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// MCPServer is one MCP server to connect a session to, independent of the
// version's shape.
type MCPServer struct {
	Name      string
	Transport string // "stdio", "http", "sse", or a custom one beginning with "_"
	Command   string // stdio
	Args      []string
	Env       []NameValue
	URL       string // http, sse
	Headers   []NameValue
	Raw       json.RawMessage // of a custom transport: the object as it was given
}

// ParseMCPConfig reads the common form {"mcpServers":{NAME:{…}}} or ACP's own
// array. Servers keep their order. Errors are *UsageError.
func ParseMCPConfig(data []byte) ([]MCPServer, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if !json.Valid(data) {
		var v any
		return nil, usagef("MCP configuration: not valid JSON: %v", json.Unmarshal(data, &v))
	}
	if data[0] == '[' {
		return parseMCPArray(data)
	}
	servers, ok := asObject(data)["mcpServers"]
	if !ok {
		return nil, &UsageError{
			Message: `MCP configuration: neither an object with the member "mcpServers" nor an array`,
			Hint:    `write {"mcpServers":{"NAME":{"command":"…"}}}`,
		}
	}
	if servers[0] == '[' {
		return parseMCPArray(servers)
	}
	if servers[0] != '{' {
		return nil, usagef("MCP configuration: mcpServers is no object")
	}
	var list []MCPServer
	err := eachMember(servers, func(name string, raw json.RawMessage) error {
		s, err := parseMCPServer(name, raw)
		if err == nil {
			list = append(list, s)
		}
		return err
	})
	return list, err
}

func parseMCPArray(data json.RawMessage) ([]MCPServer, error) {
	var raws []json.RawMessage
	if err := json.Unmarshal(data, &raws); err != nil {
		return nil, usagef("MCP configuration: %v", err)
	}
	var list []MCPServer
	for i, raw := range raws {
		name := str(asObject(raw)["name"])
		if name == "" {
			return nil, usagef("MCP configuration: server %d has no name", i+1)
		}
		s, err := parseMCPServer(name, raw)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// eachMember walks an object's members in the order they were written.
func eachMember(raw json.RawMessage, each func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := each(key.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// parseMCPServer reads one server. Without a type, a url means HTTP and a
// command means stdio, as the common form has it. "Custom
// implementation-specific transport types MUST begin with _; unknown
// non-underscore transport types are reserved" (v2 session setup).
func parseMCPServer(name string, raw json.RawMessage) (MCPServer, error) {
	o := asObject(raw)
	if o == nil {
		return MCPServer{}, usagef("MCP server %q: not an object", name)
	}
	s := MCPServer{Name: name, Command: str(o["command"]), URL: str(o["url"])}
	s.Transport = str(o["type"])
	if s.Transport == "" {
		s.Transport = str(o["transport"])
	}
	switch s.Transport {
	case "":
		s.Transport = "stdio"
		if s.Command == "" && s.URL != "" {
			s.Transport = "http"
		}
	case "streamable-http", "streamableHttp", "streamable_http":
		s.Transport = "http"
	case "stdio", "http", "sse":
	default:
		if !strings.HasPrefix(s.Transport, "_") {
			return s, usagef("MCP server %q: transport %q is none of stdio, http, sse (names of one's own begin with _)", name, s.Transport)
		}
		s.Raw = raw
		return s, nil
	}
	if s.Transport == "stdio" {
		if s.Command == "" {
			return s, usagef("MCP server %q: no command", name)
		}
		if args, ok := o["args"]; ok && json.Unmarshal(args, &s.Args) != nil {
			return s, usagef("MCP server %q: args is no array of strings", name)
		}
		env, err := nameValues(o["env"])
		if err != nil {
			return s, usagef("MCP server %q: env %v", name, err)
		}
		s.Env = env
		return s, nil
	}
	if s.URL == "" {
		return s, usagef("MCP server %q: no url", name)
	}
	headers, err := nameValues(o["headers"])
	if err != nil {
		return s, usagef("MCP server %q: headers %v", name, err)
	}
	s.Headers = headers
	return s, nil
}

// nameValues reads {NAME:"value"} or [{"name","value"}], in the order written.
func nameValues(raw json.RawMessage) ([]NameValue, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []NameValue
	switch raw[0] {
	case '{':
		err := eachMember(raw, func(name string, value json.RawMessage) error {
			var v any
			if err := json.Unmarshal(value, &v); err != nil {
				return err
			}
			switch v := v.(type) {
			case string:
				list = append(list, NameValue{name, v})
			case float64, bool:
				list = append(list, NameValue{name, string(value)})
			default:
				return fmt.Errorf("has a value for %q that is no string", name)
			}
			return nil
		})
		return list, err
	case '[':
		var pairs []struct{ Name, Value *string }
		if json.Unmarshal(raw, &pairs) == nil {
			for _, p := range pairs {
				if p.Name == nil || p.Value == nil {
					return nil, fmt.Errorf("has an entry without name and value")
				}
				list = append(list, NameValue{*p.Name, *p.Value})
			}
			return list, nil
		}
	}
	return nil, fmt.Errorf("is neither an object of strings nor a list of name and value")
}

// CheckMCP says whether the agent takes these servers' transports: "Clients
// MUST verify the Agent's capabilities" (v2 session setup). *UnsupportedError
// if not. Transports of somebody's own pass, since nothing standard advertises
// them.
func (c Capabilities) CheckMCP(servers []MCPServer) error {
	for _, s := range servers {
		marker := ""
		switch s.Transport {
		case "stdio":
			if !c.MCPStdio() {
				marker = "capabilities.session.mcp.stdio"
			}
		case "http":
			if !c.MCPHTTP() {
				marker = c.mcpMarker("http")
			}
		case "sse":
			if c.version == V2 {
				return &UnsupportedError{What: "MCP servers over SSE", Protocol: c.version}
			}
			if !c.MCPSSE() {
				marker = c.mcpMarker("sse")
			}
		}
		if marker != "" {
			return &UnsupportedError{What: fmt.Sprintf("MCP servers over %s (server %q)", s.Transport, s.Name), Capability: marker, Protocol: c.version}
		}
	}
	return nil
}

func (c Capabilities) mcpMarker(name string) string {
	if c.version == V2 {
		return "capabilities.session.mcp." + name
	}
	return "agentCapabilities.mcpCapabilities." + name
}

// ResolveMCP makes the commands of stdio servers absolute, as both versions
// demand: lookPath finds a bare name in PATH (exec.LookPath), a relative path
// is taken from dir. A command that is not found is a *UsageError.
func ResolveMCP(servers []MCPServer, dir string, lookPath func(string) (string, error)) ([]MCPServer, error) {
	out := make([]MCPServer, len(servers))
	for i, s := range servers {
		out[i] = s
		if s.Transport != "stdio" || filepath.IsAbs(s.Command) {
			continue
		}
		path := s.Command
		if !strings.ContainsAny(s.Command, `/`+string(filepath.Separator)) {
			found, err := lookPath(s.Command)
			if err != nil {
				return nil, &UsageError{
					Message: fmt.Sprintf("MCP server %q: command %q was not found in PATH", s.Name, s.Command),
					Hint:    "give the absolute path of the server's program",
				}
			}
			path = found
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		out[i].Command = path
	}
	return out, nil
}

// mcpShape writes servers as version v wants them. Version 1: stdio without a
// type, args and env required; http and sse with a type, headers required.
// Version 2: always a type, arrays optional. Never null: "mcpServers is always
// present".
func mcpShape(v Version, servers []MCPServer) (json.RawMessage, error) {
	type member struct {
		name  string
		value any
	}
	list := make([]json.RawMessage, 0, len(servers))
	for _, s := range servers {
		if s.Raw != nil {
			raw, err := withMember(s.Raw, "name", s.Name)
			if err != nil {
				return nil, err
			}
			list = append(list, raw)
			continue
		}
		var members []member
		if v == V2 || s.Transport != "stdio" {
			members = append(members, member{"type", s.Transport})
		}
		members = append(members, member{"name", s.Name})
		if s.Transport == "stdio" {
			members = append(members, member{"command", s.Command})
			if v == V1 || len(s.Args) > 0 {
				members = append(members, member{"args", append([]string{}, s.Args...)})
			}
			if v == V1 || len(s.Env) > 0 {
				members = append(members, member{"env", append([]NameValue{}, s.Env...)})
			}
		} else {
			members = append(members, member{"url", s.URL})
			if v == V1 || len(s.Headers) > 0 {
				members = append(members, member{"headers", append([]NameValue{}, s.Headers...)})
			}
		}
		var b bytes.Buffer
		for i, m := range members {
			sep := ","
			if i == 0 {
				sep = "{"
			}
			value, err := json.Marshal(m.value)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%s%q:%s", sep, m.name, value)
		}
		b.WriteByte('}')
		list = append(list, b.Bytes())
	}
	return json.Marshal(list)
}

// withMember adds a string member to an object that lacks it.
func withMember(raw json.RawMessage, name, value string) (json.RawMessage, error) {
	o := asObject(raw)
	if _, ok := o[name]; ok {
		return raw, nil
	}
	v, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	o[name] = v
	return json.Marshal(o)
}
