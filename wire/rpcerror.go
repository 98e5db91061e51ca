package wire

import (
	"encoding/json"
	"fmt"
)

// Error codes of JSON-RPC 2.0, and the ones that ACP adds for every request.
const (
	CodeParseError       = -32700
	CodeInvalidRequest   = -32600
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternalError    = -32603
	CodeRequestCancelled = -32800
)

// RPCError is an error response: the peer understood that it was asked and
// said no. Data is nil if there was none.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *RPCError) Error() string {
	if len(e.Data) > 0 {
		return fmt.Sprintf("%s (code %d, data %s)", e.Message, e.Code, e.Data)
	}
	return fmt.Sprintf("%s (code %d)", e.Message, e.Code)
}

// ClosedError says that the connection ended while something was wanted from
// the peer.
type ClosedError struct {
	Address    string // the peer, as Transport.Address gives it
	Exit       Exit   // how its process ended, if Exited
	Exited     bool   // the peer is a process of ours and has ended
	StderrTail []byte // the last of what it wrote on stderr
	Local      bool   // we closed the connection ourselves
	Err        error  // what reading or writing failed with; nil after a plain end of the stream
}

func (e *ClosedError) Error() string {
	switch {
	case e.Local:
		return "connection closed"
	case e.Exited && e.Exit.Signal != "":
		return fmt.Sprintf("the agent was killed by %s", e.Exit.Signal)
	case e.Exited:
		return fmt.Sprintf("the agent ended with exit status %d", e.Exit.Code)
	case e.Err != nil:
		return fmt.Sprintf("connection to %s lost: %v", e.Address, e.Err)
	}
	return fmt.Sprintf("%s closed the connection", e.Address)
}

// Unwrap gives the cause, for example a *FrameTooLongError.
func (e *ClosedError) Unwrap() error { return e.Err }

// MalformedResponseError is a response to a request of ours that is no valid
// response: both result and error, or neither, or an error that is no error
// object. The request it belongs to fails with it.
type MalformedResponseError struct {
	Method string
	Line   []byte
	Reason string
}

func (e *MalformedResponseError) Error() string {
	return fmt.Sprintf("malformed response to %s: %s", e.Method, e.Reason)
}
