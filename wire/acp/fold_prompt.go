package acp

import (
	"encoding/json"
	"slices"

	"github.com/acptool/acptool/wire/scan"
)

// turns is what a fold knows of prompts, of questions to the user and of
// requests for the session's history.
type turns struct {
	turn    *Turn   // of the latest prompt
	open    []*Turn // that have not ended
	pending []*Item // permission requests without an answer

	resuming int       // resume and load requests without an answer
	saved    *timeline // what session/load is about to send anew
}

// Prompt notes that session/prompt is sent with these content blocks (the JSON
// array), and returns the turn, which the fold keeps fed with its updates; tell
// the turn of the answer. In version 2 the user's message appears when the
// agent has given it an id, by the answer or by an update, and never twice.
func (f *Fold) Prompt(blocks json.RawMessage) *Turn {
	t := NewTurn(f.version)
	t.fold, t.start = f, f.start
	t.Prior(f.state)
	t.Prior(State{Name: f.lastKnown})
	if f.turn != nil && !f.turn.done {
		t.outer = f.turn
	}
	t.item = f.add(newMessage(ItemUserMessage, ""))
	t.item.hidden = f.version != V1
	m := t.item.Message
	m.Submitted, m.local = true, f.version != V1
	if json.Valid(blocks) {
		m.Content.replace(elements(blocks))
	}
	f.run, f.last, f.plan = nil, nil, nil
	f.turn = t
	f.open = append(f.open, t)
	f.stop, f.turnUsage, f.stopErr, f.failure = "", nil, nil, nil
	f.beginText()
	f.deriveState()
	return t
}

// Turn is the turn of the latest prompt, nil before the first.
func (f *Fold) Turn() *Turn { return f.turn }

// PromptAccepted notes the answer of the oldest prompt that has none: messageID
// is the id that the agent gave, "" if it gave none. It is Turn.Result for
// whoever has read the answer already.
func (f *Fold) PromptAccepted(messageID string) {
	for _, t := range f.open {
		if !t.answered {
			t.Result(append(appendString([]byte(`{"messageId":`), messageID), '}'))
			return
		}
	}
}

// feed shows a change to the turns that are open. A snapshot that a resumed
// session sends is no transition.
func (f *Fold) feed(c Change) {
	if len(f.open) == 0 || c.State != nil && f.resuming > 0 {
		return
	}
	for _, t := range f.open {
		t.Update(c)
	}
	f.settle()
}

func (f *Fold) settle() {
	f.open = slices.DeleteFunc(f.open, func(t *Turn) bool { return t.done })
}

// promptAnswered: "If the message update arrived first, the Client reconciles
// with that existing message rather than creating a duplicate"
// (v2-prompt-lifecycle, Prompt Accepted). The echo's place stands then.
func (f *Fold) promptAnswered(t *Turn) {
	f.settle()
	if f.version == V1 {
		if f.turn == t {
			f.stop, f.turnUsage = t.stop, t.usage
		}
		f.deriveState()
		return
	}
	key := itemKey{ItemUserMessage, t.messageID}
	if echo := f.index[key]; echo != nil && t.messageID != "" {
		echo.Message.Submitted = true
		f.drop(t.item)
		return
	}
	t.item.hidden = false
	t.item.Message.ID = t.messageID
	if t.messageID != "" {
		f.index[key] = t.item
	}
}

// promptFailed: a prompt that version 2 rejects was never inserted. A refused
// second prompt leaves the running turn what it was.
func (f *Fold) promptFailed(t *Turn) {
	f.settle()
	if f.version != V1 {
		f.drop(t.item)
	}
	if f.turn == t {
		if t.outer != nil && !t.outer.done {
			f.turn, f.start = t.outer, t.start
		} else {
			f.failure = t.err
		}
	}
	f.deriveState()
}

// drop takes an item out of the timeline.
func (f *Fold) drop(it *Item) {
	i := slices.Index(f.items, it)
	if i < 0 {
		return
	}
	f.items = slices.Delete(f.items, i, i+1)
	if f.start > i {
		f.start--
	}
}

// lose is for the end of the connection: prompts that were never answered are
// shown, since whether they were inserted is not known. Nothing is made up: a
// turn that was open has no end, and version 1's state is not known any more.
func (f *Fold) lose() {
	for _, t := range f.open {
		if !t.answered {
			t.item.hidden = false
			t.item.Message.Uncertain = true
		}
	}
	if f.resuming > 0 {
		f.resuming = 1
		f.EndHistory(len(f.items) > 0)
	}
	if f.version == V1 && len(f.open) > 0 {
		f.state = State{}
	}
	f.open, f.pending = nil, nil
}

// deriveState gives version 1 a state, which its agents do not report.
func (f *Fold) deriveState() {
	if f.version != V1 {
		return
	}
	f.state = State{Name: StateIdle}
	if len(f.open) > 0 {
		f.state.Name = StateRunning
		if len(f.pending) > 0 {
			f.state.Name = StateRequiresAction
		}
	}
}

// Permission notes the params of a session/request_permission request: an item
// of its own. The tool call in it is applied as an update of that call would be
// (v1: toolCall; v2: subject.toolCall). The item is nil if the params are no
// JSON object.
func (f *Fold) Permission(request json.RawMessage) (it *Item, c Change) {
	defer func() { f.warn(&c, request) }()
	c.Kind = "session/request_permission"
	if !json.Valid(request) {
		c.Problems = []Problem{{"", "is not valid JSON"}}
		return nil, c
	}
	p, ok := readPayload(request, "", &c.Problems)
	if !ok {
		return nil, c
	}
	tool := f.permissionTool(&p)
	if options, ok := p.needArray("options"); ok {
		for i, raw := range options {
			if option, ok := readPayload(raw, p.at("options", i), p.problems); ok {
				option.needText("optionId")
				option.needText("name")
				option.needText("kind")
			}
		}
	}
	it = f.add(&Item{Type: ItemPermission, Permission: &Permission{Request: clone(request), Tool: tool}})
	c.Item, c.Created, c.Applied = it, true, true
	f.pending = append(f.pending, it)
	f.deriveState()
	return it, c
}

// permissionTool finds the tool call that a request is about and applies what
// the request says of it.
func (f *Fold) permissionTool(p *payload) *Item {
	path := p.path + "/toolCall"
	call, is := p.object("toolCall")
	if f.version == V1 {
		p.need("toolCall", is)
	} else {
		p.needText("title")
		path = p.path + "/subject/toolCall"
		raw, has := p.object("subject")
		if has != given {
			return nil
		}
		subject, _ := readPayload(raw, p.path+"/subject", p.problems)
		switch kind, _ := subject.needText("type"); kind {
		case "tool_call":
			call, is = subject.object("toolCall")
			subject.need("toolCall", is)
		default:
			id, _ := subject.text("toolCallId")
			return f.index[itemKey{ItemToolCall, id}]
		}
	}
	if is != given {
		return nil
	}
	inner, ok := readPayload(call, path, p.problems)
	id, has := inner.needID("toolCallId")
	if !ok || !has {
		return nil
	}
	var c Change
	f.patchTool(id, &inner, &c)
	return c.Item
}

// PermissionAnswered notes the outcome object ({"outcome":"selected",…}) that
// the client answered with, or the result that holds it; nil if it answered
// with an error.
func (f *Fold) PermissionAnswered(item *Item, outcome json.RawMessage) {
	if item == nil || item.Permission == nil {
		return
	}
	f.pending = slices.DeleteFunc(f.pending, func(it *Item) bool { return it == item })
	if inner := scan.Member(outcome, "outcome"); len(inner) > 0 && inner[0] == '{' {
		outcome = inner
	}
	if json.Valid(outcome) {
		item.Permission.Outcome = clone(outcome)
	}
	f.deriveState()
}

// Pending lists the permission requests that have no answer yet.
func (f *Fold) Pending() []*Item { return f.pending }

// CancelSent notes that session/cancel is sent: unfinished tool calls become
// cancelled until a later update says otherwise ("The Client SHOULD preemptively
// mark all non-finished tool calls … as cancelled"). They are returned.
func (f *Fold) CancelSent() []*Item {
	var marked []*Item
	for _, it := range f.items {
		if it.Type == ItemToolCall && !it.Tool.Finished() {
			it.Tool.Status = "cancelled"
			marked = append(marked, it)
		}
	}
	return marked
}

// BeginHistory is called when session/load (v1) or session/resume (v2) is sent,
// EndHistory when it is answered. States told in between are snapshots that end
// no turn. Version 1's load sends the conversation anew without ids to match,
// so what the fold holds is put aside, and taken back if the request fails or
// brings nothing.
func (f *Fold) BeginHistory() {
	f.resuming++
	if f.version != V1 || f.saved != nil {
		return
	}
	saved := f.timeline
	f.saved = &saved
	f.timeline = timeline{index: map[itemKey]*Item{}}
	if f.turn != nil && f.turn.done {
		f.turn = nil
	}
}

// EndHistory says whether the request succeeded; see BeginHistory.
func (f *Fold) EndHistory(ok bool) {
	f.resuming = max(0, f.resuming-1)
	if f.saved == nil {
		return
	}
	if !ok || len(f.items) == 0 {
		f.timeline = *f.saved
	}
	f.saved = nil
}

// DiscardItems empties the timeline: of a history that was only needed to take
// a session up. What the session is like (state, usage, commands) stays.
func (f *Fold) DiscardItems() { f.timeline = timeline{index: map[itemKey]*Item{}} }
