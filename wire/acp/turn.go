package acp

import "encoding/json"

// Turn tracks one prompt from the moment it is sent to the end of its work.
//
// Feed it in the order of the wire: Update for each update that the connection
// shows after the prompt was written, Result or Failed for the answer. The
// place of the answer among the updates counts, so it is best told from an
// observer of the connection or on the reading goroutine.
//
// A turn of version 1 ends with the answer. In version 2, with M the answer's
// messageId, it ends at the first idle after the answer or after M's first
// update, whichever came first, that follows running or requires_action or
// carries a reason; and it counts once the answer is in.
//
// A Turn is for one goroutine at a time.
type Turn struct{ turnState }

// NewTurn is a turn whose prompt is about to be sent.
func NewTurn(v Version) *Turn { return &Turn{newTurnState(v)} }

// Prior tells the turn in what foreground state the session was when the
// prompt was sent, if that was known.
func (t *Turn) Prior(s State) { t.prior(s) }

// Update tells the turn of an update that Fold.Update has read.
func (t *Turn) Update(c Change) { t.update(c) }

// Result tells the turn that session/prompt was answered with a result: the
// reason and usage (v1) or the message's id (v2).
func (t *Turn) Result(result json.RawMessage) { t.result(result) }

// Failed tells the turn that session/prompt was answered with an error.
func (t *Turn) Failed(rpcError json.RawMessage) { t.failed(rpcError) }

// Answered says whether session/prompt was answered.
func (t *Turn) Answered() bool { return t.answered }

// MessageID is the id that the agent gave to the prompt (v2), once answered.
func (t *Turn) MessageID() string { return t.messageID }

// Done says whether the turn has ended, and why. The reason is empty where the
// agent gave none (Warnings says so) or refused the prompt (Err is not nil).
func (t *Turn) Done() (StopReason, bool) { return t.stop, t.done }

// Usage is the tokens of the turn as the agent reported them, or nil.
func (t *Turn) Usage() json.RawMessage { return t.usage }

// Err is the error object that the prompt was answered with, or that came with
// the idle that ended the turn; nil if there is none.
func (t *Turn) Err() json.RawMessage { return t.err }

// Warnings lists the agent's breaches that the turn got over.
func (t *Turn) Warnings() []Problem { return t.warnings }
