package acp

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// JSON-RPC and ACP error codes that the client acts on.
const (
	CodeParse              = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeAuthRequired       = -32000
	CodeNotFound           = -32002
	CodeUnsupportedVersion = -32022
	CodeCancelled          = -32800
)

// UsageError: what the caller asked for cannot be sent, whatever the agent is.
type UsageError struct {
	Message string
	Hint    string
}

func (e *UsageError) Error() string { return e.Message }

func usagef(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// UnsupportedError: the agent did not advertise what is asked for; nothing was
// sent.
type UnsupportedError struct {
	What       string  // what was wanted, in words: "session/status", "an image in a prompt"
	Capability string  // where the agent would have advertised it, "" if nowhere in this version
	Protocol   Version // the version that was negotiated
}

func (e *UnsupportedError) Error() string {
	if e.Capability == "" {
		return fmt.Sprintf("protocol version %d has no %s", e.Protocol, e.What)
	}
	return fmt.Sprintf("the agent does not offer %s (it does not advertise %s)", e.What, e.Capability)
}

// ChoiceError: the agent refused a mode, a model or the value of an option that
// is not among those it offers.
type ChoiceError struct {
	Err     error // the *AgentError
	Offered []string
}

func (e *ChoiceError) Error() string { return e.Err.Error() }
func (e *ChoiceError) Unwrap() error { return e.Err }

// AgentError is an error answer of the agent, or the error object that a turn
// ended with.
type AgentError struct {
	Method  string
	Code    int
	Message string
	Data    json.RawMessage
}

func (e *AgentError) Error() string {
	var b strings.Builder
	if e.Method != "" {
		fmt.Fprintf(&b, "%s: ", e.Method)
	}
	fmt.Fprintf(&b, "the agent answered with error %d: %s", e.Code, e.Message)
	if len(e.Data) > 0 && string(e.Data) != "null" {
		fmt.Fprintf(&b, " (data %s)", e.Data)
	}
	return b.String()
}

// AuthRequiredError is the answer -32000. It can come as early as session/new
// and as late as the first prompt (auth-status RFD, "Status quo").
type AuthRequiredError struct {
	Agent   *AgentError
	Methods []AuthMethod
}

func (e *AuthRequiredError) Error() string {
	s := e.Agent.Method + ": authentication required"
	if m := e.Agent.Message; m != "" && !strings.EqualFold(m, "authentication required") {
		s += ": " + m
	}
	return s
}
func (e *AuthRequiredError) Unwrap() error { return e.Agent }

// UnknownSessionError is the answer -32002 to a request that names a session,
// where the error's data names nothing else (session-status RFD, "Errors").
type UnknownSessionError struct {
	SessionID string
	Agent     *AgentError
}

func (e *UnknownSessionError) Error() string {
	s := fmt.Sprintf("%s: the agent does not know session %s (error %d: %s", e.Agent.Method, e.SessionID, e.Agent.Code, e.Agent.Message)
	if len(e.Agent.Data) > 0 && string(e.Agent.Data) != "null" {
		s += fmt.Sprintf(", data %s", e.Agent.Data)
	}
	return s + ")"
}
func (e *UnknownSessionError) Unwrap() error { return e.Agent }

// ProtocolError: the agent broke the protocol. Line is the offending frame or
// value, if there is one.
type ProtocolError struct {
	Method  string
	Message string
	Line    []byte
	Hint    string
}

func (e *ProtocolError) Error() string {
	if e.Method == "" {
		return e.Message
	}
	return e.Method + ": " + e.Message
}

// VersionError: no common version of the protocol. Ours are the versions that
// were offered; Theirs what the agent answered or said it supports.
type VersionError struct {
	Ours   []int
	Theirs []int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("no common protocol version: we speak %s, the agent %s", ints(e.Ours), ints(e.Theirs))
}

func ints(v []int) string {
	if len(v) == 0 {
		return "did not say which"
	}
	s := make([]string, len(v))
	for i, n := range v {
		s[i] = fmt.Sprint(n)
	}
	return strings.Join(s, ", ")
}

// TimeoutError: a time limit ended a phase of the connection. It is also the
// cause to give a context with (WithTimeout); the client fills in the phase.
type TimeoutError struct {
	Phase string        // "connect", "initialize", or the method that was waited for
	After time.Duration // the limit
	Idle  bool          // the limit was one on silence
	Last  string        // what was seen last of what was waited for, "" if that says nothing
}

func (e *TimeoutError) Error() string {
	phase := e.Phase
	if phase == "" {
		phase = "the command"
	}
	if e.Idle {
		return fmt.Sprintf("timed out: nothing received for %s during %s", e.After, phase)
	}
	s := fmt.Sprintf("timed out after %s in %s", e.After, phase)
	if e.Last != "" {
		s += "; last seen: " + e.Last
	}
	return s
}

// Timeout marks the error as one for net.Error-like checks.
func (e *TimeoutError) Timeout() bool { return true }

// UnreachableError: the agent could not be started or reached.
type UnreachableError struct {
	Err error
}

func (e *UnreachableError) Error() string { return e.Err.Error() }
func (e *UnreachableError) Unwrap() error { return e.Err }

// GoneError: the agent went away while Method was waited for. Err says how
// (exit status, closed connection); Stderr is the last that it wrote there.
type GoneError struct {
	Method string
	Err    error
	Stderr []byte
}

func (e *GoneError) Error() string {
	return fmt.Sprintf("%s: the agent went away: %v", e.Method, e.Err)
}
func (e *GoneError) Unwrap() error { return e.Err }

// UncertainError: a prompt was sent and its answer was lost, so that nobody
// knows whether the agent took it. It is never sent again, since "a retry can
// create another submission" (v2 prompt lifecycle, "Prompt Accepted").
type UncertainError struct {
	SessionID string
	Err       error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("%v; whether the agent took the prompt is unknown", e.Err)
}
func (e *UncertainError) Unwrap() error { return e.Err }

// TerminalAuthError: the login method runs in a terminal; it is never passed
// to the agent. Command is what to run instead.
type TerminalAuthError struct {
	Method  AuthMethod
	Command string
}

func (e *TerminalAuthError) Error() string {
	return fmt.Sprintf("login method %q works in a terminal only", e.Method.ID)
}
