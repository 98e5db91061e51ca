package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// configOption is one entry of configOptions, of either version.
type configOption struct {
	id, category, kind string
	values             []string
}

// configOptions reads what the session offers to set now: its setup answer and
// the updates since.
func (c *Client) configOptions(s *Session) []configOption {
	c.order.Lock()
	raw := s.config
	c.order.Unlock()
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var options []configOption
	for _, raw := range list {
		o := asObject(raw)
		option := configOption{id: str(o["configId"]), category: str(o["category"]), kind: str(o["type"]), values: choices(o["options"], "value")}
		if option.id == "" {
			option.id = str(o["id"])
		}
		if option.id != "" {
			options = append(options, option)
		}
	}
	return options
}

// choices are the ids in a list of what can be chosen, also where it is parted
// into groups.
func choices(raw json.RawMessage, id string) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var ids []string
	for _, raw := range list {
		o := asObject(raw)
		if value := str(o[id]); value != "" {
			ids = append(ids, value)
		} else if o["options"] != nil {
			ids = append(ids, choices(o["options"], id)...)
		}
	}
	return ids
}

// refused adds to an agent's refusal of a choice what it would have taken.
func refused(err error, value string, offered []string) error {
	if _, ok := err.(*AgentError); !ok || len(offered) == 0 || slices.Contains(offered, value) {
		return err
	}
	return &ChoiceError{err, offered}
}

// byCategory finds the option of a category, "mode" or "model".
func byCategory(options []configOption, category string) (configOption, bool) {
	for _, o := range options {
		if o.category == category && o.kind != "boolean" {
			return o, true
		}
	}
	for _, o := range options {
		if o.category == "" && o.id == category && o.kind != "boolean" {
			return o, true
		}
	}
	return configOption{}, false
}

// SetMode changes the session's mode: by the configuration option of that
// category where the agent has one, else by session/set_mode (version 1), which
// such options replace. *UnsupportedError where nothing does.
func (c *Client) SetMode(ctx context.Context, s *Session, mode string) error {
	if o, ok := byCategory(c.configOptions(s), "mode"); ok {
		return c.setOption(ctx, s, o, mode)
	}
	if modes := asObject(asObject(s.Result)["modes"]); c.peer.Protocol == V1 && modes != nil {
		_, err := c.request(ctx, "session/set_mode", s.ID, struct {
			SessionID string `json:"sessionId"`
			ModeID    string `json:"modeId"`
		}{s.ID, mode}, nil)
		return refused(err, mode, choices(modes["availableModes"], "id"))
	}
	return &UnsupportedError{What: "a choice of modes in this session", Capability: `modes or a configuration option of category "mode"`, Protocol: c.peer.Protocol}
}

// SetModel changes the session's model, likewise: agents of version 1 without
// such an option may list models and take session/set_model.
func (c *Client) SetModel(ctx context.Context, s *Session, model string) error {
	if o, ok := byCategory(c.configOptions(s), "model"); ok {
		return c.setOption(ctx, s, o, model)
	}
	if models := asObject(asObject(s.Result)["models"]); c.peer.Protocol == V1 && models != nil {
		_, err := c.request(ctx, "session/set_model", s.ID, struct {
			SessionID string `json:"sessionId"`
			ModelID   string `json:"modelId"`
		}{s.ID, model}, nil)
		return refused(err, model, choices(models["availableModels"], "modelId"))
	}
	return &UnsupportedError{What: "a choice of models in this session", Capability: `models or a configuration option of category "model"`, Protocol: c.peer.Protocol}
}

// SetConfig sets a configuration option by its id. Booleans take true and
// false.
func (c *Client) SetConfig(ctx context.Context, s *Session, id, value string) error {
	var ids []string
	for _, o := range c.configOptions(s) {
		if o.id == id {
			return c.setOption(ctx, s, o, value)
		}
		ids = append(ids, o.id)
	}
	marker := "any configuration option"
	if len(ids) > 0 {
		marker = "an option of that id, only " + strings.Join(ids, ", ")
	}
	return &UnsupportedError{What: fmt.Sprintf("configuration option %q in this session", id), Capability: marker, Protocol: c.peer.Protocol}
}

// setOption writes session/set_config_option in the version's shape: version 2
// names the value's type always, version 1 for booleans alone.
func (c *Client) setOption(ctx context.Context, s *Session, o configOption, value string) error {
	p := struct {
		SessionID string `json:"sessionId"`
		ConfigID  string `json:"configId"`
		Type      string `json:"type,omitempty"`
		Value     any    `json:"value"`
	}{SessionID: s.ID, ConfigID: o.id, Value: value}
	switch {
	case o.kind == "boolean":
		if value != "true" && value != "false" {
			return usagef("configuration option %q is true or false, not %q", o.id, value)
		}
		p.Type, p.Value = "boolean", value == "true"
	case c.peer.Protocol == V2:
		p.Type = "id"
	}
	_, err := c.request(ctx, "session/set_config_option", s.ID, p, func(result json.RawMessage) error {
		c.order.Lock()
		defer c.order.Unlock()
		s.setup(result)
		return nil
	})
	return refused(err, value, o.values)
}
