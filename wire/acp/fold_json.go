package acp

import (
	"encoding/json"
	"io"
	"strconv"
	"unicode/utf8"
)

// MarshalJSON is AppendJSON for encoding/json.
func (f *Fold) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

// AppendJSON appends the folded session in its documented shape. Whatever came
// as JSON goes out as it came: numbers keep their digits.
func (f *Fold) AppendJSON(dst []byte) []byte { return f.appendJSON(dst, nil) }

// WriteJSON writes what AppendJSON appends, piece by piece, so that a long
// session is never there twice.
func (f *Fold) WriteJSON(w io.Writer) error {
	s := &spill{w: w}
	s.all(f.appendJSON(nil, s))
	return s.err
}

func (f *Fold) appendJSON(dst []byte, s *spill) []byte {
	o := jsonObject{dst: append(dst, '{'), spill: s}
	o.text("sessionId", f.sessionID)
	o.raw("protocol", []byte(strconv.Itoa(int(f.version))))
	o.orNull("state", f.state.Name)
	o.maybe("lastState", f.lastKnown)
	o.orNull("stopReason", string(f.stop))
	o.key("text")
	o.dst = append(o.dst, '"')
	for piece := range f.textPieces() {
		o.dst = s.appendInside(o.dst, piece)
	}
	o.dst = append(o.dst, '"')
	o.key("items")
	o.dst = append(o.dst, '[')
	for i, it := range f.Items() {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = it.appendJSON(o.dst, s)
	}
	o.dst = append(o.dst, ']')
	o.set("usage", f.usage)
	o.set("turnUsage", f.turnUsage)
	o.set("cost", f.cost)
	o.set("info", f.Info())
	o.set("commands", f.commands)
	o.set("configOptions", f.configOptions)
	o.maybe("mode", f.mode)
	appendList(&o, "subagents", f.subagents, (*Subagent).appendJSON)
	appendList(&o, "notices", f.notices, func(n *Notice, dst []byte) []byte { return append(dst, n.Raw...) })
	appendList(&o, "warnings", f.warnings, Warning.appendJSON)
	if f.failure != nil {
		o.set("error", f.failure)
	} else {
		o.set("error", f.stopErr)
	}
	return append(o.dst, '}')
}

// MarshalJSON is AppendJSON for encoding/json.
func (it *Item) MarshalJSON() ([]byte, error) { return it.AppendJSON(nil), nil }

// AppendJSON appends the entry in its documented shape.
func (it *Item) AppendJSON(dst []byte) []byte { return it.appendJSON(dst, nil) }

func (it *Item) appendJSON(dst []byte, s *spill) []byte {
	o := jsonObject{dst: append(dst, '{'), spill: s}
	o.text("type", string(it.Type))
	switch it.Type {
	case ItemToolCall:
		it.Tool.members(&o)
	case ItemPlan:
		o.maybe("planId", it.Plan.ID)
		o.raw("plan", it.Plan.Plan)
		if it.Plan.Removed {
			o.raw("removed", []byte("true"))
		}
		o.set("_meta", it.Plan.Meta)
	case ItemTerminal:
		it.Terminal.members(&o)
	case ItemCompaction:
		o.text("compactionId", it.Compaction.ID)
		o.orNull("status", it.Compaction.Status)
		o.content("summary", &it.Compaction.Summary)
		o.maybe("error", it.Compaction.Error)
		o.set("_meta", it.Compaction.Meta)
	case ItemPermission:
		o.raw("request", it.Permission.Request)
		o.raw("outcome", it.Permission.Outcome)
	case ItemUnknown:
		o.raw("raw", it.Raw)
	default:
		it.Message.members(&o)
	}
	return append(o.dst, '}')
}

func (m *Message) members(o *jsonObject) {
	o.maybe("messageId", m.ID)
	o.maybe("senderSessionId", m.Sender)
	o.maybe("recipientSessionId", m.Recipient)
	o.maybe("senderMessageId", m.SenderMessageID)
	o.maybe("recipientMessageId", m.RecipientMessageID)
	o.content("content", &m.Content)
	if m.Submitted {
		o.raw("submitted", []byte("true"))
	}
	if m.Uncertain {
		o.raw("uncertain", []byte("true"))
	}
	o.set("_meta", m.Meta)
}

func (t *ToolCall) members(o *jsonObject) {
	o.text("toolCallId", t.ID)
	o.maybe("name", t.Name)
	o.orNull("title", t.Title)
	o.text("kind", t.Kind)
	o.text("status", t.Status)
	o.array("content", t.Content)
	o.array("locations", t.Locations)
	o.raw("rawInput", t.RawInput)
	o.raw("rawOutput", t.RawOutput)
	o.set("capabilities", t.Capabilities)
	o.metas(t.ChunkMeta)
	o.set("_meta", t.Meta)
}

// members: bytes that are no UTF-8 are lost in text, so they stand beside it.
func (t *Terminal) members(o *jsonObject) {
	o.text("terminalId", t.ID)
	o.maybe("command", t.Command)
	o.maybe("cwd", t.Cwd)
	o.text("output", string(t.Output))
	if !utf8.Valid(t.Output) {
		o.key("outputBase64")
		quoted, err := json.Marshal(t.Output)
		if err != nil {
			quoted = []byte("null")
		}
		o.dst = append(o.dst, quoted...)
	}
	o.set("exitStatus", t.Exit)
	o.set("size", t.Size)
	o.set("capabilities", t.Capabilities)
	o.set("_meta", t.Meta)
}

func (s *Subagent) appendJSON(dst []byte) []byte {
	o := jsonObject{dst: append(dst, '{')}
	o.text("sessionId", s.SessionID)
	o.maybe("title", s.Title)
	o.maybe("description", s.Description)
	o.set("state", s.State)
	o.set("capabilities", s.Capabilities)
	o.maybe("cwd", s.Cwd)
	o.set("additionalDirectories", s.AdditionalDirectories)
	o.set("_meta", s.Meta)
	return append(o.dst, '}')
}

func (w Warning) appendJSON(dst []byte) []byte {
	o := jsonObject{dst: append(dst, '{')}
	o.maybe("kind", w.Kind)
	o.text("path", w.Path)
	o.text("message", w.Message)
	if w.Count > 1 {
		o.raw("count", []byte(strconv.Itoa(w.Count)))
	}
	if w.Raw != nil && json.Valid(w.Raw) {
		o.set("raw", w.Raw)
	}
	return append(o.dst, '}')
}

// jsonObject writes one JSON object, member by member.
type jsonObject struct {
	dst   []byte
	more  bool
	spill *spill
}

func (o *jsonObject) key(key string) {
	if o.more {
		o.dst = append(o.dst, ',')
	}
	o.more = true
	o.dst = append(append(append(o.dst, '"'), key...), '"', ':')
}

func (o *jsonObject) text(key, value string) {
	o.key(key)
	o.dst = appendString(o.dst, value)
}

// orNull writes null for an empty text, maybe leaves it out.
func (o *jsonObject) orNull(key, value string) {
	if value == "" {
		o.raw(key, nil)
	} else {
		o.text(key, value)
	}
}

func (o *jsonObject) maybe(key, value string) {
	if value != "" {
		o.text(key, value)
	}
}

// raw writes JSON as it came, or null; set leaves out what is not there.
func (o *jsonObject) raw(key string, value []byte) {
	o.key(key)
	if value == nil {
		value = []byte("null")
	}
	o.dst = o.spill.append(o.dst, value)
}

func (o *jsonObject) set(key string, value []byte) {
	if value != nil {
		o.raw(key, value)
	}
}

func (o *jsonObject) array(key string, values []json.RawMessage) {
	o.key(key)
	o.dst = append(o.dst, '[')
	for i, v := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = o.spill.append(o.dst, v)
	}
	o.dst = append(o.dst, ']')
}

func (o *jsonObject) content(key string, c *Content) {
	o.key(key)
	o.dst = c.appendJSON(o.dst, o.spill)
	o.metas(c.metas)
}

func (o *jsonObject) metas(metas []ChunkMeta) {
	appendList(o, "chunkMeta", metas, func(m ChunkMeta, dst []byte) []byte {
		dst = append(dst, `{"block":`...)
		dst = strconv.AppendInt(dst, int64(m.Block), 10)
		dst = append(dst, `,"_meta":`...)
		return append(append(dst, m.Meta...), '}')
	})
}

// appendList writes an array of what one appends, nothing if there is none.
func appendList[T any](o *jsonObject, key string, values []T, one func(T, []byte) []byte) {
	if len(values) == 0 {
		return
	}
	o.key(key)
	o.dst = append(o.dst, '[')
	for i, v := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = one(v, o.dst)
	}
	o.dst = append(o.dst, ']')
}
