package acp

import (
	"encoding/json"
)

// AuthMethod is one way to log in, of either version.
type AuthMethod struct {
	ID          string            // id in version 1, methodId in version 2
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Type        string            `json:"type"` // "agent" where nothing was said
	Args        []string          // of a terminal method: what to add to the agent's command line
	Env         map[string]string // of a terminal method
	Raw         json.RawMessage
}

// Terminal methods run the agent's program in a terminal. They are never
// passed to authenticate or auth/login.
func (m AuthMethod) Terminal() bool { return m.Type == "terminal" }

// MarshalJSON gives the method back as it came.
func (m AuthMethod) MarshalJSON() ([]byte, error) {
	if m.Raw != nil {
		return m.Raw, nil
	}
	return json.Marshal(map[string]string{"id": m.ID, "name": m.Name})
}

// AuthAccount is one account of an auth/status answer.
type AuthAccount struct {
	Label        string `json:"label"`
	Active       *bool  `json:"active,omitempty"`
	Name         string `json:"name,omitempty"`
	Email        string `json:"email,omitempty"`
	Organization string `json:"organization,omitempty"`
}

// The states that an auth/status answer is reported as.
const (
	Authenticated   = "authenticated"
	Unauthenticated = "unauthenticated"
	AuthNotRequired = "not_required"
	AuthUnknown     = "unknown"
)

// AuthStatus is an answer to auth/status in either shape in the field.
type AuthStatus struct {
	State    string          // one of the four states above
	RawState string          // the agent's own word where it is none of them, else ""
	Message  string          // for people; "" if there was none
	Accounts json.RawMessage // as they came; nil if there were none
	Result   json.RawMessage // the whole answer
}

// DecodeAuthStatus reads the result of auth/status: {authenticated, message?}
// (auth-status RFD) or {state, accounts?} (schema). Where both come,
// authenticated wins. "authenticated: true means credentials are present, NOT
// that they are guaranteed to be valid". Neither is a breach of the protocol,
// never "unauthenticated".
func DecodeAuthStatus(result json.RawMessage) (AuthStatus, error) {
	s := AuthStatus{Result: result}
	o := asObject(result)
	if o == nil {
		return s, &ProtocolError{Method: "auth/status", Message: "the answer is no object", Line: result}
	}
	s.Message = str(o["message"])
	if accounts := o["accounts"]; len(accounts) > 0 && accounts[0] == '[' {
		s.Accounts = accounts
	}
	switch string(o["authenticated"]) {
	case "true":
		s.State = Authenticated
		return s, nil
	case "false":
		s.State = Unauthenticated
		return s, nil
	}
	var state string
	if raw, ok := o["state"]; !ok || json.Unmarshal(raw, &state) != nil || string(raw) == "null" {
		return s, &ProtocolError{Method: "auth/status", Message: "the answer has no boolean member authenticated", Line: result}
	}
	switch state {
	case Authenticated, Unauthenticated, AuthNotRequired, AuthUnknown:
		s.State = state
	default:
		s.State, s.RawState = AuthUnknown, state
	}
	return s, nil
}

// str is a JSON string's value, "" for anything else.
func str(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' {
		_ = json.Unmarshal(raw, &s)
	}
	return s
}

// decodeAuthMethods reads authMethods of either version; entries that name no
// method are left out.
func decodeAuthMethods(v Version, raw json.RawMessage) []AuthMethod {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var methods []AuthMethod
	for _, raw := range list {
		o := asObject(raw)
		id := str(o["id"])
		if v == V2 {
			id = str(o["methodId"])
		}
		if id == "" {
			continue
		}
		m := AuthMethod{ID: id, Name: str(o["name"]), Description: str(o["description"]), Type: str(o["type"]), Raw: raw}
		if m.Type == "" {
			m.Type = "agent"
		}
		_ = json.Unmarshal(o["args"], &m.Args)
		m.Env = decodeEnv(o["env"])
		methods = append(methods, m)
	}
	return methods
}

// decodeEnv reads an environment in either of its shapes: an object, or a list
// of {name, value}.
func decodeEnv(raw json.RawMessage) map[string]string {
	if o := asObject(raw); o != nil {
		env := map[string]string{}
		for k, v := range o {
			env[k] = str(v)
		}
		return env
	}
	var pairs []NameValue
	if json.Unmarshal(raw, &pairs) != nil || len(pairs) == 0 {
		return nil
	}
	env := map[string]string{}
	for _, p := range pairs {
		env[p.Name] = p.Value
	}
	return env
}
