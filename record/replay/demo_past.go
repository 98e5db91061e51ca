package replay

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// past is what a session of the demo gives as its history: the entries of its
// turns as they ended up, with the ids that they had ("the Agent MUST use the
// same ID"), and no notices ("SHOULD NOT be included in session replay").
type past struct {
	entries []*entry
	byID    map[string]*entry
}

type entry struct{ update map[string]any }

// keep takes an update that was sent.
func (p *past) keep(update []byte) {
	u, _ := value(update).(map[string]any)
	kind, _ := u["sessionUpdate"].(string)
	switch kind {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
		p.chunk(kind, u)
	case "user_message", "agent_message", "agent_thought":
		p.merge(kind, "messageId", u)
	case "tool_call", "tool_call_update":
		p.merge("tool", "toolCallId", u)
	case "plan":
		p.merge("plan", "", u)
	case "plan_update":
		p.merge("plan "+string(scan.Text(scan.Path(update, "plan", "planId"))), "", u)
	case "compaction_update":
		p.merge("compaction", "compactionId", u)
	case "compaction_summary_chunk":
		if e := p.byID["compaction "+text(u["compactionId"])]; e != nil {
			e.append("summary", u["content"])
		}
	}
}

func text(v any) string { s, _ := v.(string); return s }

// merge patches the entry with what the update says: omitted is unchanged.
func (p *past) merge(class, idMember string, u map[string]any) {
	e := p.at(class+" "+text(u[idMember]), u)
	for k, v := range u {
		if k == "sessionUpdate" && e.update[k] != nil {
			continue // a v1 tool_call stays one
		}
		e.update[k] = v
	}
}

// at is the entry of a key; the first sight fixes its place.
func (p *past) at(key string, u map[string]any) *entry {
	e := p.byID[key]
	if e == nil {
		e = &entry{maps.Clone(u)}
		if p.byID == nil {
			p.byID = map[string]*entry{}
		}
		p.byID[key] = e
		p.entries = append(p.entries, e)
	}
	return e
}

// chunk appends a chunk to its message.
func (p *past) chunk(kind string, u map[string]any) {
	e := p.at(kind+" "+text(u["messageId"]), map[string]any{"sessionUpdate": kind, "messageId": u["messageId"]})
	e.append("content", u["content"])
}

// append adds a block.
func (e *entry) append(member string, block any) {
	list, _ := e.update[member].([]any)
	e.update[member] = append(list, block)
}

// asked keeps a prompt of version 1, which has no echo.
func (p *past) asked(prompt []byte, turn int) {
	blocks, _ := value(prompt).([]any)
	for _, b := range blocks {
		p.chunk("user_message_chunk", map[string]any{"messageId": fmt.Sprintf("msg-user-%d", turn), "content": b})
	}
}

// scene is the recorded scene of a resume with the session's own history in
// place of the recorded one.
func (p *past) scene(v acp.Version, like *scene, session string) *scene {
	sc := *like
	sc.items = nil
	step := like.root.Step
	for _, e := range p.entries {
		for _, u := range e.updates(v) {
			params := encode(map[string]any{"sessionId": session, "update": u})
			f := &Frame{Step: step}
			f.Raw = fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"session/update","params":%s}`, params)
			f.Method, f.Params, f.T, f.EOL = "session/update", json.RawMessage(params), like.root.T, "\n"
			sc.items = append(sc.items, item{kind: itemSend, frame: f})
		}
	}
	for _, it := range like.items {
		kind := textMember(it.frame.Params, "update", "sessionUpdate")
		if it.kind == itemAnswer || kind == "state_update" {
			sc.items = append(sc.items, it)
		}
	}
	return &sc
}

// updates are the updates that tell of an entry: messages whole in version 2,
// as chunks in version 1.
func (e *entry) updates(v acp.Version) []map[string]any {
	whole := map[string]string{"user_message_chunk": "user_message", "agent_message_chunk": "agent_message", "agent_thought_chunk": "agent_thought"}
	kind := text(e.update["sessionUpdate"])
	name, chunk := whole[kind]
	if !chunk {
		return []map[string]any{e.update}
	}
	if v == acp.V2 {
		u := maps.Clone(e.update)
		u["sessionUpdate"] = name
		return []map[string]any{u}
	}
	var out []map[string]any
	for _, b := range e.update["content"].([]any) {
		u := maps.Clone(e.update)
		u["content"] = b
		out = append(out, u)
	}
	return out
}
