package acp

import "encoding/json"

// Implementation names a program: the agent's, or ours in initialize.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// Peer is what initialize told of the agent.
type Peer struct {
	Protocol    Version
	Info        Implementation // empty where a version 1 agent did not say
	Caps        Capabilities
	AuthMethods []AuthMethod
	Raw         json.RawMessage // the result of initialize
}
