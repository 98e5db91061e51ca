package acp

import "encoding/json"

// ItemType tells the entries of a timeline apart, as the JSON shape spells it.
type ItemType string

// The types of a timeline's entries.
const (
	ItemUserMessage    ItemType = "user_message"
	ItemAgentMessage   ItemType = "agent_message"
	ItemAgentThought   ItemType = "agent_thought"
	ItemSessionMessage ItemType = "session_message"
	ItemToolCall       ItemType = "tool_call"
	ItemPlan           ItemType = "plan"
	ItemTerminal       ItemType = "terminal"
	ItemCompaction     ItemType = "compaction"
	ItemPermission     ItemType = "permission"
	ItemUnknown        ItemType = "unknown"
)

// Item is one entry of a session's timeline. Exactly the member that belongs
// to Type is set. The first sight of an entity fixes its place; later patches
// change the entry where it stands.
type Item struct {
	Type       ItemType
	Message    *Message        // the four message types
	Tool       *ToolCall       // tool_call
	Plan       *Plan           // plan
	Terminal   *Terminal       // terminal
	Compaction *Compaction     // compaction
	Permission *Permission     // permission
	Raw        json.RawMessage // unknown: the update as it came

	hidden bool // a prompt that is not answered yet
}

// Message is a user's, agent's or session-directed message, or a thought.
type Message struct {
	ID        string // "" where the agent gave none (v1)
	Content   Content
	Meta      json.RawMessage // _meta of the message; that of a chunk stays in Content
	Submitted bool            // a user message that this connection's client sent
	Uncertain bool            // … and whose answer never came

	// Of a session-directed message, as far as known.
	Sender, Recipient                   string // session ids
	SenderMessageID, RecipientMessageID string

	local bool // Content is the prompt as sent; the agent's echo replaces it
}

// ToolCall is a tool call's latest state. The raw members are as they came;
// nil where nothing is set.
type ToolCall struct {
	ID           string
	Name         string // programmatic name, if told
	Title        string
	Kind         string            // "other" until told
	Status       string            // "pending" until told; the set is open
	Content      []json.RawMessage // see ViewToolContent
	Locations    []json.RawMessage // {path, line?}
	RawInput     json.RawMessage
	RawOutput    json.RawMessage
	Capabilities json.RawMessage
	Meta         json.RawMessage
	ChunkMeta    []ChunkMeta
}

// Finished says whether the call has reached an end that the documents name.
func (t *ToolCall) Finished() bool {
	return t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled"
}

// Plan is a plan's latest content: {type, planId, …} as it came, or for v1's
// plan, which has neither, {"type":"items","entries":…}.
type Plan struct {
	ID      string
	Plan    json.RawMessage
	Removed bool // plan_removed came after the last content
	Meta    json.RawMessage
}

// Terminal is a display-only terminal that the agent owns.
type Terminal struct {
	ID           string
	Command, Cwd string
	Output       []byte          // bytes as the program wrote them
	Exit         json.RawMessage // {exitCode?, signal?}; nil = not known to have ended
	Size         json.RawMessage // {cols, rows}
	Capabilities json.RawMessage
	Meta         json.RawMessage

	shown int // bytes of Output that a Change's Text has covered
}

// Compaction is one compaction of the session's context.
type Compaction struct {
	ID      string
	Status  string // the set is open
	Summary Content
	Error   string
	Meta    json.RawMessage
}

// Permission is a request for permission and how it was answered.
type Permission struct {
	Request json.RawMessage // the request's params as they came
	Outcome json.RawMessage // the outcome object; nil = not answered
	Tool    *Item           // the tool call it is about, if it names one
}

// Subagent is a child session as its parent tells of it.
type Subagent struct {
	SessionID             string
	Title, Description    string
	Cwd                   string
	Capabilities          json.RawMessage
	State                 json.RawMessage // the mirrored snapshot; see DecodeState
	AdditionalDirectories json.RawMessage
	Meta                  json.RawMessage
}

// Notice is a live advisory; it never stands in a timeline.
type Notice struct {
	Severity    string // the set is open
	Title       string
	Description string
	Raw         json.RawMessage // the update as it came
}

// Warning is something that the fold could not take as it was meant to be.
type Warning struct {
	Kind    string // the update's or request's kind
	Path    string // JSON pointer into it
	Message string
	Count   int             // how many times the very same came
	Raw     json.RawMessage // the payload, where the fold does not hold it elsewhere
}

// ChunkMeta is the _meta that came with a chunk. It belongs to that chunk (the
// block with this index) and patches nothing.
type ChunkMeta struct {
	Block int
	Meta  json.RawMessage
}
