package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// PermissionOption is one of the choices that an agent offers.
type PermissionOption struct {
	ID   string `json:"optionId"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// The option kinds that a policy may choose. Others are for later versions
// and are never chosen.
const (
	AllowOnce    = "allow_once"
	AllowAlways  = "allow_always"
	RejectOnce   = "reject_once"
	RejectAlways = "reject_always"
)

// PermissionRequest is a session/request_permission of either version.
type PermissionRequest struct {
	SessionID   string
	Title       string // v2: title; v1: the tool call's
	Description string
	ToolCallID  string // "" if the request is about no tool call
	ToolKind    string // "other" if nothing was said, as the schema defaults
	Command     string // v2: the subject's command line
	Options     []PermissionOption
	Raw         json.RawMessage // params as they came
}

// Outcome is the answer to a permission request: an option, or "" for the
// cancelled outcome.
type Outcome struct {
	OptionID string
}

// Cancelled is the outcome that chooses nothing.
var cancelledOutcome = Outcome{}

// Cancelled says that no option was chosen.
func (o Outcome) Cancelled() bool { return o.OptionID == "" }

// MarshalJSON gives the result of session/request_permission.
func (o Outcome) MarshalJSON() ([]byte, error) {
	type selected struct {
		Outcome  string `json:"outcome"`
		OptionID string `json:"optionId,omitempty"`
	}
	s := selected{Outcome: "cancelled"}
	if !o.Cancelled() {
		s = selected{"selected", o.OptionID}
	}
	return json.Marshal(struct {
		Outcome selected `json:"outcome"`
	}{s})
}

// Policy decides permission requests. The zero value rejects.
type Policy struct {
	decide func(context.Context, PermissionRequest) Outcome
	waits  bool // decide may wait for a person
}

// Decide answers one request. ctx ends when the request need not be answered
// any more; the outcome is then dropped.
func (p Policy) Decide(ctx context.Context, r PermissionRequest) Outcome {
	if p.decide == nil {
		return rejected(r)
	}
	return p.decide(ctx, r)
}

// AskFunc puts a request to a person and returns the id of the chosen option,
// or "" for none. It returns when ctx ends, since Client.Close waits for it.
type AskFunc func(context.Context, PermissionRequest) (optionID string, err error)

// FilterFunc computes a decision from the request's params: an option id, an
// option kind, true or false. Anything else or an error rejects.
type FilterFunc func(params json.RawMessage) (any, error)

// RejectAll is the default policy: reject_once, else reject_always, else the
// cancelled outcome.
func RejectAll() Policy { return Policy{} }

// AllowAll chooses allow_once, else allow_always, else as RejectAll.
func AllowAll() Policy {
	return Policy{decide: func(_ context.Context, r PermissionRequest) Outcome { return allowed(r) }}
}

// AllowKinds allows requests about tool calls of these kinds and rejects the
// others.
func AllowKinds(kinds ...string) Policy {
	return Policy{decide: func(_ context.Context, r PermissionRequest) Outcome {
		if slices.Contains(kinds, r.ToolKind) {
			return allowed(r)
		}
		return rejected(r)
	}}
}

// AskWith leaves each request to a person.
func AskWith(ask AskFunc) Policy {
	return Policy{waits: true, decide: func(ctx context.Context, r PermissionRequest) Outcome {
		id, err := ask(ctx, r)
		if err != nil {
			return rejected(r)
		}
		return r.option(id)
	}}
}

// FilterWith leaves each request to a program.
func FilterWith(filter FilterFunc) Policy {
	return Policy{decide: func(_ context.Context, r PermissionRequest) Outcome {
		v, err := filter(r.Raw)
		if err != nil {
			return rejected(r)
		}
		switch v := v.(type) {
		case bool:
			if v {
				return allowed(r)
			}
		case string:
			if o := r.option(v); !o.Cancelled() {
				return o
			}
			if o := r.byKind(v); knownKind(v) && !o.Cancelled() {
				return o
			}
		}
		return rejected(r)
	}}
}

// ToolKinds are the kinds of tool calls that the protocol names. Kinds of an
// agent's own begin with "_".
func ToolKinds() []string {
	return []string{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}
}

// ToolKindError says that a policy names a kind that no tool call can have.
type ToolKindError struct{ Kind string }

func (e *ToolKindError) Error() string {
	return fmt.Sprintf("%q is no kind of tool call", e.Kind)
}

// ParsePolicy reads the value of --permission: reject, allow, allow:KIND,…,
// ask, jq:FILTER. ask is nil where there is nobody to ask; compile is nil
// where there are no filters; either is then a usage error. A kind that is not
// known is a *ToolKindError.
func ParsePolicy(s string, ask AskFunc, compile func(filter string) (FilterFunc, error)) (Policy, error) {
	name, rest, has := strings.Cut(s, ":")
	switch {
	case (name == "reject" || name == "") && !has:
		return RejectAll(), nil
	case name == "allow" && !has:
		return AllowAll(), nil
	case name == "allow":
		kinds := strings.Split(rest, ",")
		for i := range kinds {
			kinds[i] = strings.TrimSpace(kinds[i])
			if kinds[i] == "" {
				return Policy{}, usagef("permission policy %q names an empty tool kind", s)
			}
			if !slices.Contains(ToolKinds(), kinds[i]) && kinds[i][0] != '_' {
				return Policy{}, &ToolKindError{Kind: kinds[i]}
			}
		}
		return AllowKinds(kinds...), nil
	case name == "ask" && !has:
		if ask == nil {
			return Policy{}, usagef("permission policy \"ask\" needs a terminal to ask on")
		}
		return AskWith(ask), nil
	case name == "jq" && has:
		if compile == nil {
			return Policy{}, usagef("permission policy %q: filters are not available here", s)
		}
		f, err := compile(rest)
		if err != nil {
			return Policy{}, err
		}
		return FilterWith(f), nil
	}
	e := usagef("permission policy %q is not one of reject, allow, allow:KIND,…, ask, jq:FILTER", s)
	return Policy{}, e
}

func knownKind(k string) bool {
	return k == AllowOnce || k == AllowAlways || k == RejectOnce || k == RejectAlways
}

// byKind finds the first option of a kind; never by its place in the list.
func (r PermissionRequest) byKind(kind string) Outcome {
	for _, o := range r.Options {
		if o.Kind == kind {
			return Outcome{o.ID}
		}
	}
	return cancelledOutcome
}

// option finds an option by its id. One of an unknown kind is not chosen.
func (r PermissionRequest) option(id string) Outcome {
	for _, o := range r.Options {
		if o.ID == id && id != "" && knownKind(o.Kind) {
			return Outcome{o.ID}
		}
	}
	return cancelledOutcome
}

func rejected(r PermissionRequest) Outcome {
	if o := r.byKind(RejectOnce); !o.Cancelled() {
		return o
	}
	return r.byKind(RejectAlways)
}

func allowed(r PermissionRequest) Outcome {
	if o := r.byKind(AllowOnce); !o.Cancelled() {
		return o
	}
	if o := r.byKind(AllowAlways); !o.Cancelled() {
		return o
	}
	return rejected(r)
}

// DecodePermission reads the params of session/request_permission. kindOf
// gives the kind of a tool call that was reported before, "" if unknown; a
// request may name a call without repeating its kind.
func DecodePermission(params json.RawMessage, kindOf func(toolCallID string) string) (PermissionRequest, error) {
	type toolCall struct {
		ID    string  `json:"toolCallId"`
		Kind  *string `json:"kind"`
		Title *string `json:"title"`
	}
	var p struct {
		SessionID   string    `json:"sessionId"`
		Title       *string   `json:"title"`
		Description *string   `json:"description"`
		ToolCall    *toolCall `json:"toolCall"`
		Subject     *struct {
			Type       string    `json:"type"`
			ToolCall   *toolCall `json:"toolCall"`
			Command    string    `json:"command"`
			ToolCallID *string   `json:"toolCallId"`
		} `json:"subject"`
		Options []PermissionOption `json:"options"`
	}
	r := PermissionRequest{Raw: params}
	if err := json.Unmarshal(params, &p); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return r, fmt.Errorf("session/request_permission: /%s must not be of type %s", strings.ReplaceAll(typ.Field, ".", "/"), typ.Value)
		}
		return r, fmt.Errorf("session/request_permission: %w", err)
	}
	r.SessionID, r.Options = p.SessionID, p.Options
	if p.Description != nil {
		r.Description = *p.Description
	}
	call := p.ToolCall
	if s := p.Subject; s != nil {
		if s.ToolCall != nil {
			call = s.ToolCall
		}
		if s.ToolCallID != nil {
			r.ToolCallID = *s.ToolCallID
		}
		if s.Type == "command" {
			r.Command, r.ToolKind = s.Command, "execute"
		}
	}
	if call != nil {
		r.ToolCallID = call.ID
		if call.Title != nil {
			r.Title = *call.Title
		}
		if call.Kind != nil {
			r.ToolKind = *call.Kind
		}
	}
	if p.Title != nil {
		r.Title = *p.Title
	}
	if r.ToolKind == "" && r.ToolCallID != "" && kindOf != nil {
		r.ToolKind = kindOf(r.ToolCallID)
	}
	if r.ToolKind == "" {
		r.ToolKind = "other"
	}
	return r, nil
}
