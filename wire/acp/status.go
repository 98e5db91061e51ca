package acp

import (
	"bytes"
	"encoding/json"
)

// The statuses that a session/status answer is reported as.
const (
	SessionActive   = "active"   // the agent holds the session in memory, for any connection
	SessionInactive = "inactive" // it does not; no proof that the session exists
)

// SessionStatus is an answer to session/status.
type SessionStatus struct {
	Status   string          // SessionActive or SessionInactive
	Raw      string          // the agent's own word, for example "open"
	State    *State          // v2: the foreground state; nil: not reported, which is never idle
	RawState json.RawMessage // the state as it came, if State is set
	Result   json.RawMessage // the whole answer
}

// Recognised says whether the agent's word is one that is known.
func (s SessionStatus) Recognised() bool {
	switch s.Raw {
	case "active", "open", "inactive", "saved":
		return true
	}
	return false
}

// DecodeSessionStatus reads the result of session/status. Both spellings in
// the field are known (active and inactive of the RFD, open and saved of the
// schema); "Clients MUST treat a status value they don't recognize as
// inactive". A missing status is a *ProtocolError, since it is required. In
// version 1 a state is ignored: "v1 has no foreground state model".
func DecodeSessionStatus(v Version, result json.RawMessage) (SessionStatus, error) {
	s := SessionStatus{Result: result}
	o := asObject(result)
	if o == nil {
		return s, &ProtocolError{Method: "session/status", Message: "the answer is no object and so lacks the member status", Line: result}
	}
	raw := bytes.TrimSpace(o["status"])
	if len(raw) == 0 || raw[0] != '"' {
		return s, &ProtocolError{Method: "session/status", Message: "the answer lacks the string member status", Line: result}
	}
	s.Raw = str(raw)
	switch s.Raw {
	case "active", "open":
		s.Status = SessionActive
	default:
		s.Status = SessionInactive
	}
	if v == V2 {
		if state, ok := DecodeState(o["state"]); ok {
			s.State, s.RawState = &state, o["state"]
		}
	}
	return s, nil
}
