package acp

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/acptool/acptool/wire/scan"
)

// Fold is what the updates of one session amount to: a timeline of items and
// the session's latest state. It is fed with updates in the order in which they
// came, and with what the client itself sent. It keeps copies of what it holds.
//
// A Fold is for one goroutine at a time.
type Fold struct {
	sessionID string
	version   Version
	kinds     map[string]applier

	timeline
	turns

	state     State
	lastKnown string // the state before unknown
	stop      StopReason
	turnUsage json.RawMessage
	stopErr   json.RawMessage
	failure   json.RawMessage

	usage, cost             json.RawMessage
	infoMembers             []member
	commands, configOptions json.RawMessage
	mode                    string

	subagents []*Subagent
	notices   []*Notice
	warnings  []Warning
	warned    map[warningKey]int // where in warnings
}

// timeline is the part of a fold that session/load sends anew.
type timeline struct {
	items []*Item
	index map[itemKey]*Item
	run   *Item // a message without id that the next chunk of its role continues
	last  *Item // the message that was touched last
	plan  *Item // version 1's current plan

	start   int   // the last turn's first item
	spoken  *Item // the agent message that the last turn's text ends with
	unended bool  // and it does not end its line
}

// itemKey: entities are told apart by what they are and their id. claude gives
// a thought and its answer the same id, so the role belongs to it.
type itemKey struct {
	kind ItemType
	id   string
}

// warningKey tells warnings apart that hold no payload.
type warningKey struct {
	kind    string
	problem Problem
}

// NewFold is an empty fold of a session.
func NewFold(sessionID string, v Version) *Fold {
	f := &Fold{sessionID: sessionID, warned: map[warningKey]int{}}
	f.setVersion(v)
	f.index = map[itemKey]*Item{}
	return f
}

func (f *Fold) setVersion(v Version) {
	f.version = v
	f.kinds = map[string]applier{}
	for _, k := range kindsOf(v) {
		f.kinds[k.name] = k.apply
	}
	for _, t := range f.open {
		t.version = v
	}
}

// SessionID is the session that the fold is of.
func (f *Fold) SessionID() string { return f.sessionID }

// Version is the protocol version whose rules the fold follows.
func (f *Fold) Version() Version { return f.version }

// Update applies params.update of a session/update notification.
func (f *Fold) Update(update json.RawMessage) Change {
	c, ok := f.textChunk(update)
	if !ok {
		c = f.anyUpdate(update)
	}
	f.feed(c)
	return c
}

// anyUpdate is Update for every kind and shape.
func (f *Fold) anyUpdate(update json.RawMessage) (c Change) {
	defer func() { f.warn(&c, update) }()
	if !scan.IsValid(update) {
		c.Problems = []Problem{{"", "is not valid JSON"}}
		return c
	}
	p, ok := readPayload(update, "", &c.Problems)
	if !ok {
		return c
	}
	if c.Kind, ok = p.needText("sessionUpdate"); !ok {
		return c
	}
	apply := f.kinds[c.Kind]
	if apply == nil {
		c.Unknown, c.Applied = true, true
		c.Item, c.Created = f.add(&Item{Type: ItemUnknown, Raw: clone(update)}), true
		if other := V1 + V2 - f.version; kindKnown(other, c.Kind) {
			f.note(c.Kind, Problem{"/sessionUpdate", "is a kind of the other protocol version"}, nil)
		}
		return c
	}
	apply(f, &p, &c)
	return c
}

// warn keeps the problems of a change, and the payload where it was not applied.
func (f *Fold) warn(c *Change, raw json.RawMessage) {
	for i, p := range c.Problems {
		if c.Applied || i > 0 {
			raw = nil
		}
		f.note(c.Kind, p, raw)
	}
}

// note adds a warning, or counts one that is there.
func (f *Fold) note(kind string, p Problem, raw json.RawMessage) {
	w := warningKey{kind, p}
	if i, ok := f.warned[w]; ok && raw == nil {
		f.warnings[i].Count++
		return
	}
	if raw == nil {
		f.warned[w] = len(f.warnings)
	}
	f.warnings = append(f.warnings, Warning{kind, p.Path, p.Message, 1, clone(raw)})
}

// add puts an item at the end of the timeline.
func (f *Fold) add(it *Item) *Item {
	f.items = append(f.items, it)
	return it
}

// find returns the entity with this id, or adds the one that make makes.
func (f *Fold) find(kind ItemType, id string, make func() *Item) (it *Item, created bool) {
	key := itemKey{kind, id}
	if it := f.index[key]; it != nil {
		return it, false
	}
	it = f.add(make())
	f.index[key] = it
	return it, true
}

// untouched says whether nothing at all was folded.
func (f *Fold) untouched() bool {
	return len(f.items) == 0 && len(f.notices) == 0 && f.state.Name == "" && f.usage == nil
}

// Items is the timeline.
func (f *Fold) Items() []*Item {
	if !slices.ContainsFunc(f.items, func(it *Item) bool { return it.hidden }) {
		return f.items
	}
	return slices.DeleteFunc(slices.Clone(f.items), func(it *Item) bool { return it.hidden })
}

// Tool is the tool call with this id, or nil.
func (f *Fold) Tool(id string) *ToolCall {
	if it := f.index[itemKey{ItemToolCall, id}]; it != nil {
		return it.Tool
	}
	return nil
}

// Text is the agent's text of the last turn: that of its agent messages, each
// beginning on a line of its own. Thoughts and session messages are no part.
func (f *Fold) Text() string {
	var b strings.Builder
	for piece := range f.textPieces() {
		b.Write(piece)
	}
	return b.String()
}

// textPieces yields Text piece by piece; each holds whole characters and is
// valid until the next one.
func (f *Fold) textPieces() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		unended := false
		for _, it := range f.items[min(f.start, len(f.items)):] {
			if it.Type != ItemAgentMessage {
				continue
			}
			first, end := true, byte(0)
			for piece := range it.Message.Content.textPieces() {
				if first && unended && !yield([]byte{'\n'}) {
					return
				}
				first, end = false, piece[len(piece)-1]
				if !yield(piece) {
					return
				}
			}
			if !first {
				unended = end != '\n'
			}
		}
	}
}

// State is the latest foreground state, if one was reported. Version 1 reports
// none: there it is derived from prompts, their answers and open permission
// requests.
func (f *Fold) State() (State, bool) { return f.state, f.state.Name != "" }

// LastState is the last state known before the state became unknown.
func (f *Fold) LastState() string { return f.lastKnown }

// StopReason is the reason of the last turn's end.
func (f *Fold) StopReason() StopReason { return f.stop }

// StopError is the error object that came with the last stop reason, or nil.
func (f *Fold) StopError() json.RawMessage { return f.stopErr }

// Usage is {used, size} of the latest usage_update, as it came.
func (f *Fold) Usage() json.RawMessage { return f.usage }

// Cost is the latest cost, as it came.
func (f *Fold) Cost() json.RawMessage { return f.cost }

// TurnUsage is the tokens of the last turn, as they came.
func (f *Fold) TurnUsage() json.RawMessage { return f.turnUsage }

// Info is the session's title and other metadata as an object, or nil.
func (f *Fold) Info() json.RawMessage {
	if len(f.infoMembers) == 0 {
		return nil
	}
	return appendMembers(nil, f.infoMembers)
}

// Title is the session's title, "" if none is known.
func (f *Fold) Title() string {
	for _, m := range f.infoMembers {
		if m.key == "title" {
			return string(scan.Text(m.value))
		}
	}
	return ""
}

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

// Fail sets the error that the folded JSON carries.
func (f *Fold) Fail(errorObject json.RawMessage) { f.failure = clone(errorObject) }
