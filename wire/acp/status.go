package acp

import "encoding/json"

// SessionStatus is an answer to session/status.
type SessionStatus struct {
	Status string          // "active" or "inactive"
	Raw    string          // the agent's own word, e.g. "open"
	State  json.RawMessage // v2: the foreground state's snapshot if it is well formed, else nil (not reported, never idle)
	Name   string          // State's state: running, idle, requires_action, …; "" if not reported
	Reason string          // State's stop reason, context only
	Result json.RawMessage // the whole answer
}

// DecodeSessionStatus reads the result of session/status. Both spellings in
// the field are known (active/inactive of the RFD, open/saved of the schema);
// "Clients MUST treat a status value they don't recognize as inactive". A
// missing status is a *ProtocolError.
func DecodeSessionStatus(v Version, result json.RawMessage) (SessionStatus, error) {
	return SessionStatus{Result: result}, &ProtocolError{Method: "session/status", Message: "not built yet"}
}
