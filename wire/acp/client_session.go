package acp

import (
	"context"
	"encoding/json"
	"path/filepath"
)

// Setup is what a session is created or taken up with. All paths are absolute.
type Setup struct {
	Cwd     string
	AddDirs []string
	MCP     []MCPServer
}

// Session is a session that this connection created or took up.
type Session struct {
	ID     string
	Result json.RawMessage // the agent's answer as it came

	// Guarded by the client's order.
	phase  When              // of an update that comes now
	turn   *activeTurn       // the latest prompt
	state  State             // the last foreground state that was told
	config json.RawMessage   // the latest configOptions
	kinds  map[string]string // of tool calls, by id
}

// setup takes the configuration that an answer holds.
func (s *Session) setup(result json.RawMessage) {
	if options := asObject(result)["configOptions"]; len(options) > 0 && options[0] == '[' {
		s.config = options
	}
}

// setupParams writes the params of session/new, resume and load, and checks
// first that the agent takes them. mcpServers is always there.
func (c *Client) setupParams(sessionID string, s Setup, replay bool) (json.RawMessage, error) {
	if !filepath.IsAbs(s.Cwd) {
		return nil, usagef("the session's directory %q is not absolute", s.Cwd)
	}
	for _, dir := range s.AddDirs {
		if !filepath.IsAbs(dir) {
			return nil, usagef("the added directory %q is not absolute", dir)
		}
	}
	if len(s.AddDirs) > 0 && !c.peer.Caps.AdditionalDirectories() {
		marker := "agentCapabilities.sessionCapabilities.additionalDirectories"
		if c.peer.Protocol == V2 {
			marker = "capabilities.session.additionalDirectories"
		}
		return nil, &UnsupportedError{What: "additional directories", Capability: marker, Protocol: c.peer.Protocol}
	}
	if err := c.peer.Caps.CheckMCP(s.MCP); err != nil {
		return nil, err
	}
	servers, err := mcpShape(c.peer.Protocol, s.MCP)
	if err != nil {
		return nil, err
	}
	type cursor struct {
		Type string `json:"type"`
	}
	p := struct {
		SessionID  string          `json:"sessionId,omitempty"`
		Cwd        string          `json:"cwd"`
		AddDirs    []string        `json:"additionalDirectories,omitempty"`
		MCPServers json.RawMessage `json:"mcpServers"`
		ReplayFrom *cursor         `json:"replayFrom,omitempty"`
	}{sessionID, s.Cwd, s.AddDirs, servers, nil}
	if replay && c.peer.Protocol == V2 {
		p.ReplayFrom = &cursor{"start"}
	}
	return encode(p)
}

// NewSession creates a session.
func (c *Client) NewSession(ctx context.Context, s Setup) (*Session, error) {
	var session *Session
	err := c.withAuth(ctx, func() (err error) {
		session, err = c.newSession(ctx, s)
		return err
	})
	return session, err
}

func (c *Client) newSession(ctx context.Context, s Setup) (*Session, error) {
	const method = "session/new"
	if err := c.peer.Offers(method); err != nil {
		return nil, err
	}
	params, err := c.setupParams("", s, false)
	if err != nil {
		return nil, err
	}
	c.order.Lock()
	c.settingUp++
	c.order.Unlock()
	var session *Session
	settled := false
	settle := func() { // with order held, once
		if !settled {
			settled = true
			c.settingUp--
			c.release()
		}
	}
	_, err = c.request(ctx, method, "", params, func(result json.RawMessage) error {
		id := str(asObject(result)["sessionId"])
		if id == "" {
			return &ProtocolError{Method: method, Message: "the answer lacks the string member sessionId", Line: result}
		}
		c.order.Lock()
		defer c.order.Unlock()
		session = &Session{ID: id, Result: result}
		session.setup(result)
		c.sessions[id] = session
		settle()
		return nil
	})
	c.order.Lock()
	settle()
	c.order.Unlock()
	if err != nil {
		return nil, err
	}
	return session, nil
}

// Resume takes a session up on this connection: session/resume, or session/load
// in version 1 where the agent has that alone or replay is asked for. The
// history that replay asks for comes as updates marked History before Resume
// returns, late ones included. Without replay, history that comes all the same
// is marked so too.
func (c *Client) Resume(ctx context.Context, sessionID string, s Setup, replay bool) (*Session, error) {
	method, err := c.resumeMethod(replay)
	if err != nil {
		return nil, err
	}
	params, err := c.setupParams(sessionID, s, replay)
	if err != nil {
		return nil, err
	}
	var session *Session
	err = c.withAuth(ctx, func() (err error) {
		session, err = c.resume(ctx, method, sessionID, params, replay)
		return err
	})
	if err != nil {
		return nil, err
	}
	if replay {
		c.drain(ctx)
	}
	c.order.Lock()
	session.phase = Between
	c.order.Unlock()
	return session, nil
}

// resumeMethod chooses the method that takes a session up.
func (c *Client) resumeMethod(replay bool) (string, error) {
	caps := c.peer.Caps
	switch {
	case c.peer.Protocol == V2:
		return "session/resume", c.peer.Offers("session/resume")
	case replay && !caps.Load():
		return "", &UnsupportedError{What: "the replay of a session's history", Capability: "agentCapabilities.loadSession", Protocol: V1}
	case !replay && caps.Resume():
		return "session/resume", nil
	case caps.Load():
		return "session/load", nil
	}
	return "", &UnsupportedError{
		What:       "taking a session up again",
		Capability: "agentCapabilities.sessionCapabilities.resume or agentCapabilities.loadSession",
		Protocol:   V1,
	}
}

func (c *Client) resume(ctx context.Context, method, sessionID string, params json.RawMessage, replay bool) (*Session, error) {
	c.order.Lock()
	session, known := c.sessions[sessionID]
	if !known {
		session = &Session{ID: sessionID}
		c.sessions[sessionID] = session
	}
	session.phase = History
	c.order.Unlock()
	result, err := c.request(ctx, method, sessionID, params, func(result json.RawMessage) error {
		c.order.Lock()
		defer c.order.Unlock()
		session.Result = result
		session.setup(result)
		if !replay {
			session.phase = Between
		}
		return nil
	})
	if err == nil && asObject(result) == nil && string(result) != "null" {
		err = &ProtocolError{Method: method, Message: "the answer is no object", Line: result}
	}
	if err == nil {
		return session, nil
	}
	c.order.Lock()
	defer c.order.Unlock()
	session.phase = Between
	if !known {
		delete(c.sessions, sessionID)
	}
	return nil, err
}

// CloseSession ends a session at the agent: "cancel any ongoing work for that
// session and free any resources".
func (c *Client) CloseSession(ctx context.Context, sessionID string) (json.RawMessage, error) {
	return c.sessionRequest(ctx, "session/close", sessionID)
}

// Delete removes a stored session.
func (c *Client) Delete(ctx context.Context, sessionID string) (json.RawMessage, error) {
	return c.sessionRequest(ctx, "session/delete", sessionID)
}

func (c *Client) sessionRequest(ctx context.Context, method, sessionID string) (result json.RawMessage, err error) {
	err = c.withAuth(ctx, func() (err error) {
		result, err = c.request(ctx, method, sessionID, struct {
			SessionID string `json:"sessionId"`
		}{sessionID}, nil)
		return err
	})
	return result, err
}

// ListFilter narrows session/list.
type ListFilter struct {
	Cwd string // "": all
}

// List gives every session the agent lists, page after page; each is an entry
// as it came.
func (c *Client) List(ctx context.Context, f ListFilter, each func(session json.RawMessage) error) error {
	const method = "session/list"
	seen := map[string]bool{}
	cursor := ""
	for {
		var result json.RawMessage
		err := c.withAuth(ctx, func() (err error) {
			result, err = c.request(ctx, method, "", struct {
				Cwd    string `json:"cwd,omitempty"`
				Cursor string `json:"cursor,omitempty"`
			}{f.Cwd, cursor}, nil)
			return err
		})
		if err != nil {
			return err
		}
		var page struct {
			Sessions   *[]json.RawMessage `json:"sessions"`
			NextCursor *string            `json:"nextCursor"`
		}
		if json.Unmarshal(result, &page) != nil || page.Sessions == nil {
			return &ProtocolError{Method: method, Message: "the answer lacks the array sessions", Line: result}
		}
		for _, session := range *page.Sessions {
			if err := each(session); err != nil {
				return err
			}
		}
		if page.NextCursor == nil || *page.NextCursor == "" {
			return nil
		}
		if cursor = *page.NextCursor; seen[cursor] {
			return &ProtocolError{Method: method, Message: "the agent gives the same page for ever", Line: result}
		}
		seen[cursor] = true
	}
}
