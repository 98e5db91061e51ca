package acp

import "encoding/json"

// Fold is what the updates of one session amount to: a timeline of items and
// the session's latest state. It is fed with updates in the order in which they
// came, and with what the client itself sent. It keeps copies of what it holds.
//
// A Fold is for one goroutine at a time.
type Fold struct{ foldState }

// NewFold is an empty fold of a session.
func NewFold(sessionID string, v Version) *Fold { return newFold(sessionID, v) }

// SessionID is the session that the fold is of.
func (f *Fold) SessionID() string { return f.sessionID }

// Version is the protocol version whose rules the fold follows.
func (f *Fold) Version() Version { return f.version }

// Update applies params.update of a session/update notification.
func (f *Fold) Update(update json.RawMessage) Change { return f.update(update) }

// Prompt notes that session/prompt is sent with these content blocks (the JSON
// array), and returns the turn, which the fold keeps fed with its updates; tell
// the turn of the answer. In version 2 the user's message appears when the
// agent has given it an id, by the answer or by an update, and never twice.
func (f *Fold) Prompt(blocks json.RawMessage) *Turn { return f.prompt(blocks) }

// PromptAccepted notes the answer of the oldest prompt that has none: messageID
// is the id that the agent gave, "" if it gave none. Turn.Result does the same.
func (f *Fold) PromptAccepted(messageID string) { f.promptAccepted(messageID) }

// Turn is the turn of the latest prompt, nil before the first.
func (f *Fold) Turn() *Turn { return f.turn }

// Permission notes the params of a session/request_permission request. The
// tool call in it is applied as an update of that call would be.
func (f *Fold) Permission(request json.RawMessage) (*Item, Change) { return f.permission(request) }

// PermissionAnswered notes the outcome object ({"outcome":"selected",…}) that
// the client answered with; nil if it answered with an error.
func (f *Fold) PermissionAnswered(item *Item, outcome json.RawMessage) {
	f.permissionAnswered(item, outcome)
}

// CancelSent notes that session/cancel is sent: unfinished tool calls become
// cancelled until a later update says otherwise. They are returned.
func (f *Fold) CancelSent() []*Item { return f.cancelSent() }

// BeginHistory and EndHistory stand around the answer of a request that asked
// for the conversation so far. Version 1's session/load sends it anew without
// ids to match, so what the fold holds is put aside; EndHistory(false) after a
// refused request takes it back.
func (f *Fold) BeginHistory() { f.beginHistory() }

// EndHistory: see BeginHistory.
func (f *Fold) EndHistory(ok bool) { f.endHistory(ok) }

// Setup applies what session/new, resume or load answered: modes, config
// options. The same members as in the updates of those names.
func (f *Fold) Setup(result json.RawMessage) { f.setup(result) }

// Fail sets the error that the folded JSON carries.
func (f *Fold) Fail(errorObject json.RawMessage) { f.err = clone(errorObject) }

// Items is the timeline.
func (f *Fold) Items() []*Item { return f.visible() }

// Text is the agent's text of the last turn: that of its agent messages, each
// beginning on a line of its own.
func (f *Fold) Text() string { return f.text() }

// State is the latest foreground state, if one was reported (v1: derived from
// prompts, their answers and open permission requests).
func (f *Fold) State() (State, bool) { return f.state, f.state.Name != "" }

// LastState is the last state known before the state became unknown.
func (f *Fold) LastState() string { return f.lastKnown }

// StopReason is the reason of the last turn's end.
func (f *Fold) StopReason() StopReason { return f.stop }

// Usage is {used, size} of the latest usage_update, as it came.
func (f *Fold) Usage() json.RawMessage { return f.usage }

// Cost is the latest cost, as it came.
func (f *Fold) Cost() json.RawMessage { return f.cost }

// TurnUsage is the tokens of the last turn, as they came.
func (f *Fold) TurnUsage() json.RawMessage { return f.turnUsage }

// Info is the session's title and other metadata as an object, or nil.
func (f *Fold) Info() json.RawMessage { return f.info() }

// Title is the session's title, "" if none is known.
func (f *Fold) Title() string { return f.title }

// Commands is the array of available commands, as it came, or nil.
func (f *Fold) Commands() json.RawMessage { return f.commands }

// ConfigOptions is the array of configuration options, as it came, or nil.
func (f *Fold) ConfigOptions() json.RawMessage { return f.configOptions }

// Mode is the id of the current mode (v1), or "".
func (f *Fold) Mode() string { return f.mode }

// Subagents lists the child sessions that were announced.
func (f *Fold) Subagents() []*Subagent { return f.subagents }

// Notices lists the live notices.
func (f *Fold) Notices() []*Notice { return f.notices }

// Warnings lists what was malformed or against the rules.
func (f *Fold) Warnings() []Warning { return f.warnings }

// AppendJSON appends the folded session in its documented shape.
func (f *Fold) AppendJSON(dst []byte) []byte { return f.appendJSON(dst) }

// MarshalJSON is AppendJSON for encoding/json.
func (f *Fold) MarshalJSON() ([]byte, error) { return f.appendJSON(nil), nil }
