package acp

import "encoding/json"

// StopReason says why foreground work stopped. The set is open: a value that
// is not listed here is shown as it came (v2-prompt-lifecycle, Stop Reasons).
// The empty reason means that none was reported.
type StopReason string

// The reasons that the documents name, and "error", which agents use.
const (
	StopEndTurn         StopReason = "end_turn"
	StopMaxTokens       StopReason = "max_tokens"
	StopMaxTurnRequests StopReason = "max_turn_requests"
	StopRefusal         StopReason = "refusal"
	StopCancelled       StopReason = "cancelled"
	StopError           StopReason = "error"
)

// The foreground states that the documents name. The set is open.
const (
	StateRunning        = "running"
	StateIdle           = "idle"
	StateRequiresAction = "requires_action"
	StateUnknown        = "unknown"
)

// State is a snapshot of a session's foreground work: the one shape of
// session/status's state, of state_update and of subagent_update.state.
type State struct {
	Name       string          // running, idle, requires_action, unknown or a later value
	StopReason StopReason      // with idle; "" = not reported
	Usage      json.RawMessage // with idle: tokens of the finished work, as they came
	Error      json.RawMessage // with the reason error: a JSON-RPC error object
	Background json.RawMessage // work that goes on beside the foreground, as it came
	Problems   []Problem       // members that were malformed and count as not reported
}

// DecodeState reads a state snapshot. It reports false where raw does not
// report a state: nil, null, no object, or an object without a usable "state"
// (session-status-rfd: never read as idle). Members beside "state" do not
// spoil it: a malformed stop reason counts as not reported.
func DecodeState(raw json.RawMessage) (State, bool) {
	var s State
	p, ok := readPayload(raw, "", &s.Problems)
	if !ok {
		return State{}, false
	}
	name, is := p.text("state")
	if is != given || name == "" {
		return State{}, false
	}
	s.Name = name
	if background, is := p.array("background"); is == given && background != nil {
		v, _ := p.raw("background")
		s.Background = clone(v)
	}
	if name != StateIdle {
		return s, true
	}
	if reason, is := p.text("stopReason"); is == given {
		s.StopReason = StopReason(reason)
	}
	p.patchObject(&s.Usage, "usage")
	p.patchObject(&s.Error, "error")
	return s, true
}

// Live says whether the state claims that work goes on or waits for the user.
func (s State) Live() bool { return s.Name == StateRunning || s.Name == StateRequiresAction }
