package acp

// Peeked is what a glance at a message shows: enough for a log line, a filter's
// variables or a selection, found without building a tree. All slices are views
// of the line; nil means that the member is not there.
type Peeked struct {
	ID      []byte // raw JSON
	Method  []byte // text, unquoted
	Params  []byte // raw JSON
	Result  []byte // raw JSON
	Error   []byte // raw JSON
	Session []byte // text of params.sessionId, or of result.sessionId
	Update  []byte // raw JSON of params.update
	Kind    []byte // text of params.update.sessionUpdate
}

// Peek glances at one JSON-RPC message. It reports false when line is no JSON
// object. A member that is there twice counts as the last one, as in
// encoding/json. It does not check that the whole line is valid JSON: what it
// says of a line that is not is unspecified.
func Peek(line []byte) (Peeked, bool) { return Peeked{}, false }
