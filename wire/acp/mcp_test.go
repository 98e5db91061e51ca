package acp

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

const commonMCP = `{"mcpServers":{
	"zeta":{"command":"npx","args":["-y","zeta"],"env":{"B":"2","A":"1","N":7}},
	"web":{"type":"http","url":"https://example.com/mcp","headers":{"Authorization":"Bearer t"}},
	"alpha":{"url":"https://example.com/a"},
	"old":{"type":"sse","url":"https://example.com/sse"}}}`

func parseMCP(t *testing.T, s string) []MCPServer {
	t.Helper()
	servers, err := ParseMCPConfig([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return servers
}

func TestU41U44U45McpShapes(t *testing.T) {
	servers := parseMCP(t, commonMCP)
	got1, err := mcpShape(V1, servers)
	if err != nil {
		t.Fatal(err)
	}
	want1 := `[{"name":"zeta","command":"npx","args":["-y","zeta"],"env":[{"name":"B","value":"2"},{"name":"A","value":"1"},{"name":"N","value":"7"}]},` +
		`{"type":"http","name":"web","url":"https://example.com/mcp","headers":[{"name":"Authorization","value":"Bearer t"}]},` +
		`{"type":"http","name":"alpha","url":"https://example.com/a","headers":[]},` +
		`{"type":"sse","name":"old","url":"https://example.com/sse","headers":[]}]`
	if string(got1) != want1 {
		t.Errorf("version 1:\n got %s\nwant %s", got1, want1)
	}
	got2, err := mcpShape(V2, servers[:3])
	if err != nil {
		t.Fatal(err)
	}
	want2 := `[{"type":"stdio","name":"zeta","command":"npx","args":["-y","zeta"],"env":[{"name":"B","value":"2"},{"name":"A","value":"1"},{"name":"N","value":"7"}]},` +
		`{"type":"http","name":"web","url":"https://example.com/mcp","headers":[{"name":"Authorization","value":"Bearer t"}]},` +
		`{"type":"http","name":"alpha","url":"https://example.com/a"}]`
	if string(got2) != want2 {
		t.Errorf("version 2:\n got %s\nwant %s", got2, want2)
	}
	bare := []MCPServer{{Name: "a", Transport: "stdio", Command: "/a"}}
	for v, want := range map[Version]string{
		V1: `[{"name":"a","command":"/a","args":[],"env":[]}]`, V2: `[{"type":"stdio","name":"a","command":"/a"}]`,
	} {
		if got, _ := mcpShape(v, bare); string(got) != want {
			t.Errorf("version %d: got %s", v, got)
		}
	}
}

func TestU40NoServersIsAnEmptyList(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		if got, err := mcpShape(v, nil); err != nil || string(got) != "[]" {
			t.Errorf("version %d: got %s, %v", v, got, err)
		}
	}
}

func TestMcpArrayForm(t *testing.T) {
	servers := parseMCP(t, `[{"name":"a","command":"/a","args":["x"],"env":[{"name":"K","value":"v"}]},{"type":"http","name":"b","url":"http://b","headers":[]}]`)
	if len(servers) != 2 || servers[0].Env[0] != (NameValue{"K", "v"}) || servers[1].Transport != "http" {
		t.Errorf("got %+v", servers)
	}
	if wrapped := parseMCP(t, `{"mcpServers":[{"name":"a","command":"/a"}]}`); len(wrapped) != 1 {
		t.Errorf("got %+v", wrapped)
	}
}

func TestU42CustomTransports(t *testing.T) {
	servers := parseMCP(t, `[{"type":"_pigeon","name":"p","loft":3}]`)
	for _, v := range []Version{V1, V2} {
		if got, err := mcpShape(v, servers); err != nil || string(got) != `[{"type":"_pigeon","name":"p","loft":3}]` {
			t.Errorf("version %d: got %s, %v", v, got, err)
		}
	}
	if err := peer2(`{"session":{}}`).Caps.CheckMCP(servers); err != nil {
		t.Error(err)
	}
	var u *UsageError
	if _, err := ParseMCPConfig([]byte(`[{"type":"foo","name":"p"}]`)); !errors.As(err, &u) || !strings.Contains(u.Message, `"foo"`) {
		t.Errorf("got %v", err)
	}
}

func TestU43CommandsAreAbsolute(t *testing.T) {
	look := func(name string) (string, error) {
		if name == "npx" {
			return filepath.FromSlash("/usr/bin/npx"), nil
		}
		return "", errors.New("not found")
	}
	dir := t.TempDir()
	servers := parseMCP(t, `{"mcpServers":{"a":{"command":"npx"},"b":{"command":"./srv"},"c":{"url":"http://x"}}}`)
	got, err := ResolveMCP(servers, dir, look)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Command != filepath.FromSlash("/usr/bin/npx") || got[1].Command != filepath.Join(dir, "srv") || got[2].Command != "" {
		t.Errorf("got %+v", got)
	}
	if servers[0].Command != "npx" {
		t.Error("the input was changed")
	}
	var u *UsageError
	if _, err := ResolveMCP([]MCPServer{{Name: "x", Transport: "stdio", Command: "nope"}}, dir, look); !errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
}

func TestU46TransportsAreChecked(t *testing.T) {
	stdio := MCPServer{Name: "s", Transport: "stdio"}
	http := MCPServer{Name: "h", Transport: "http"}
	sse := MCPServer{Name: "e", Transport: "sse"}
	tests := []struct {
		caps   Capabilities
		server MCPServer
		ok     bool
		marker string
	}{
		{peer1(`{}`).Caps, stdio, true, ""},
		{peer1(`{}`).Caps, http, false, "agentCapabilities.mcpCapabilities.http"},
		{peer1(`{"mcpCapabilities":{"http":true}}`).Caps, http, true, ""},
		{peer1(`{"mcpCapabilities":{"http":{}}}`).Caps, http, false, "agentCapabilities.mcpCapabilities.http"},
		{peer1(`{"mcpCapabilities":{"sse":true}}`).Caps, sse, true, ""},
		{peer1(`{}`).Caps, sse, false, "agentCapabilities.mcpCapabilities.sse"},
		{peer2(`{"session":{}}`).Caps, stdio, false, "capabilities.session.mcp.stdio"},
		{peer2(`{"session":{"mcp":{"stdio":null}}}`).Caps, stdio, false, "capabilities.session.mcp.stdio"},
		{peer2(`{"session":{"mcp":{"stdio":{}}}}`).Caps, stdio, true, ""},
		{peer2(`{"session":{"mcp":{"stdio":{}}}}`).Caps, http, false, "capabilities.session.mcp.http"},
		{peer2(`{"session":{"mcp":{"http":{}}}}`).Caps, http, true, ""},
		{peer2(`{"session":{"mcp":{"sse":{}}}}`).Caps, sse, false, ""},
	}
	for _, tt := range tests {
		err := tt.caps.CheckMCP([]MCPServer{tt.server})
		var u *UnsupportedError
		if tt.ok != (err == nil) || err != nil && (!errors.As(err, &u) || u.Capability != tt.marker) {
			t.Errorf("version %d %s, %s: got %v", tt.caps.Version(), tt.caps.Raw(), tt.server.Transport, err)
		}
	}
}

func TestU47EveryServerInOrder(t *testing.T) {
	var names []string
	for _, s := range parseMCP(t, commonMCP) {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "zeta web alpha old" {
		t.Errorf("got %s", got)
	}
}

func TestMcpConfigMalformed(t *testing.T) {
	for _, bad := range []string{
		``, `{`, `7`, `{}`, `{"servers":{}}`, `{"mcpServers":7}`, `{"mcpServers":{"a":7}}`, `[7]`, `[{"command":"x"}]`,
		`{"mcpServers":{"a":{}}}`, `{"mcpServers":{"a":{"command":"x","args":"y"}}}`, `{"mcpServers":{"a":{"command":"x","env":{"K":{}}}}}`,
		`{"mcpServers":{"a":{"command":"x","env":[{"name":"K"}]}}}`, `{"mcpServers":{"a":{"type":"http"}}}`, `{"mcpServers":{"a":{"command":"x","env":"E"}}}`,
	} {
		var u *UsageError
		if _, err := ParseMCPConfig([]byte(bad)); !errors.As(err, &u) {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

func FuzzParseMCPConfig(f *testing.F) {
	f.Add([]byte(commonMCP))
	f.Add([]byte(`[{"type":"_x","name":"a"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		servers, err := ParseMCPConfig(data)
		if err != nil {
			return
		}
		for _, v := range []Version{V1, V2} {
			shape, err := mcpShape(v, servers)
			if err != nil || !json.Valid(shape) {
				t.Fatalf("%s, %v", shape, err)
			}
		}
	})
}
