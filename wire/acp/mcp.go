package acp

import "encoding/json"

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
	return nil, usagef("MCP configuration: not built yet")
}

// CheckMCP says whether the agent takes these servers' transports: "Clients
// MUST verify the Agent's capabilities" (v2 session setup). *UnsupportedError
// if not.
func (c Capabilities) CheckMCP(servers []MCPServer) error { return nil }
