// Package wire knows JSON-RPC as it stands on the wire: lines, frames, ids,
// connections, child processes, sockets and the pass-through between two
// peers. It knows nothing of ACP's methods.
//
// A frame's exact bytes are the truth; every parsed form is a view on them.
package wire

import "encoding/json"

// ID is a request id as raw JSON, so that 1, "1", 1.0 and an integer beyond
// 2^53 stay what they were. The zero value means that there is none; a null id
// is the four letters null.
type ID string

// Kind says what a JSON-RPC message is.
type Kind uint8

const (
	KindInvalid      Kind = iota // not a JSON-RPC message
	KindRequest                  // method and id
	KindNotification             // method, no id
	KindResponse                 // id and exactly one of result and error
)

// Message is one JSON-RPC message. All byte slices are views into Raw.
type Message struct {
	Raw    []byte
	ID     ID
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage

	spare bool // a response whose other member was there too, as null
}

// Outcome is what a response with these members says. "Either the result
// member or error member MUST be included, but both members MUST NOT be
// included" (JSON-RPC 2.0, section 5); but some libraries write the one that
// does not apply as null, which cannot be misunderstood. It then counts as
// missing.
func Outcome(result, err []byte) (onlyResult, onlyError []byte) {
	switch {
	case result == nil || err == nil:
	case string(err) == "null":
		return result, nil
	case string(result) == "null":
		return nil, err
	}
	return result, err
}

// Kind tells a request, a notification and a response apart.
func (m Message) Kind() Kind {
	switch {
	case m.Method != "" && m.ID != "":
		return KindRequest
	case m.Method != "":
		return KindNotification
	case m.ID != "" && (m.Result != nil) != (m.Error != nil):
		return KindResponse
	}
	return KindInvalid
}
