package acp

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire/scan"
)

// textChunk is the short way for what most updates are: a chunk of plain text
// of a message, with no other members. It reports false for anything else,
// having changed nothing.
func (f *Fold) textChunk(update json.RawMessage) (c Change, ok bool) {
	cur := scan.Cursor{B: update}
	if !cur.Enter('{') {
		return c, false
	}
	var kind, id, inside []byte
	var content bool
	for {
		key, more := cur.Key()
		if !more {
			break
		}
		switch {
		case string(key) == "content" && !content && cur.Enter('{'):
			if inside, content = plainMembers(&cur); !content {
				return c, false
			}
		case string(key) == "sessionUpdate" && kind == nil:
			kind = scan.Text(cur.Skip())
		case string(key) == "messageId" && id == nil:
			if id = scan.Text(cur.Skip()); len(id) == 0 {
				return c, false
			}
		default:
			return c, false
		}
	}
	if cur.Bad || cur.At() != 0 || !content || !plainString(inside) {
		return c, false
	}
	var role ItemType
	switch string(kind) {
	case "agent_message_chunk":
		role, c.Kind = ItemAgentMessage, "agent_message_chunk"
	case "agent_thought_chunk":
		role, c.Kind = ItemAgentThought, "agent_thought_chunk"
	case "user_message_chunk":
		role, c.Kind = ItemUserMessage, "user_message_chunk"
	default:
		return c, false
	}
	if id == nil && f.version != V1 {
		return c, false
	}
	f.message(role, id, &c)
	f.chunk(&c, func(content *Content) { content.addText(inside) }, scan.Unquoted(inside))
	return c, true
}

// plainString says whether s can stand inside a JSON string: what is stored
// this way is written out again unread.
func plainString(s []byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == '"' {
			return false
		}
		if s[i] != '\\' {
			continue
		}
		if i++; i == len(s) {
			return false
		}
		if strings.IndexByte(`"\/bfnrt`, s[i]) >= 0 {
			continue
		}
		if s[i] != 'u' || i+4 >= len(s) {
			return false
		}
		if _, err := strconv.ParseUint(string(s[i+1:i+5]), 16, 16); err != nil {
			return false
		}
		i += 4
	}
	return true
}

// messageChunk applies a chunk of a message of one role. "A chunk appends its
// content to whatever content is current for that message" (v2-prompt-lifecycle,
// Agent Reports Output).
func messageChunk(role ItemType) applier {
	return func(f *Fold, p *payload, c *Change) {
		id := f.messageID(role, p)
		block, is := p.object("content")
		if !p.need("content", is) {
			return
		}
		checkBlock(block, p.path+"/content", p.problems)
		meta, _ := p.object("_meta")
		m := f.message(role, []byte(id), c).Message
		if role == ItemSessionMessage {
			patchParticipants(m, p)
		}
		f.chunk(c, func(content *Content) {
			content.append(block)
			content.noteMeta(meta)
		}, blockText(block))
	}
}

// messageUpdate applies an upsert of a message of one role: content omitted
// keeps, null or [] clears, an array replaces all.
func messageUpdate(role ItemType) applier {
	return func(f *Fold, p *payload, c *Change) {
		id := f.messageID(role, p)
		blocks, is := p.array("content")
		for i, b := range blocks {
			checkBlock(b, p.at("content", i), p.problems)
		}
		m := f.message(role, []byte(id), c).Message
		if role == ItemSessionMessage {
			patchParticipants(m, p)
		}
		p.patchObject(&m.Meta, "_meta")
		if is == given || is == isNull {
			m.Content.replace(blocks)
			m.local = false
			c.Replaced = true
			f.say(c, m.Content.Text())
		}
	}
}

// messageID is required of every message but version 1's chunks, where null is
// as good as nothing. A message without one is shown all the same.
func (f *Fold) messageID(role ItemType, p *payload) string {
	if f.version == V1 && role != ItemSessionMessage {
		if _, is := p.raw("messageId"); is != given {
			return ""
		}
	}
	id, _ := p.needID("messageId")
	return id
}

// message finds the message that an update is about, or begins it. Version 1's
// chunks may lack an id: then a run of chunks of one role is one message, ended
// by another message or a new tool call.
func (f *Fold) message(role ItemType, id []byte, c *Change) *Item {
	c.Applied = true
	it := f.last
	switch {
	case len(id) == 0:
		if it = f.run; it == nil || it.Type != role {
			it, c.Created = f.add(newMessage(role, "")), true
		}
		f.run = it
	case it != nil && it.Type == role && it.Message.ID == string(id):
		f.run = nil
	default:
		it, c.Created = f.find(role, string(id), func() *Item { return newMessage(role, string(id)) })
		f.run = nil
	}
	f.last = it
	c.Item, c.messageID = it, it.Message.ID
	if c.Created && role == ItemUserMessage {
		f.userSpoke()
	}
	return it
}

func newMessage(role ItemType, id string) *Item {
	return &Item{Type: role, Message: &Message{ID: id}}
}

// userSpoke: a history has no prompts, there a turn begins with the user's
// message. Version 1's plan has no id and ends with the turn.
func (f *Fold) userSpoke() {
	f.plan = nil
	if f.turn == nil {
		f.beginText()
	}
}

// beginText says that the text of a turn begins behind the items that are there.
func (f *Fold) beginText() { f.start, f.spoken, f.unended = len(f.items), nil, false }

// chunk appends to the content of the change's message. The first chunk of an
// echo takes the place of the prompt as we sent it.
func (f *Fold) chunk(c *Change, add func(*Content), text string) {
	m := c.Item.Message
	if m.local {
		m.Content, m.local, c.Replaced = Content{}, false, true
	}
	add(&m.Content)
	f.say(c, text)
}

// say notes text for whoever follows live.
func (f *Fold) say(c *Change, text string) {
	c.Text = text
	if text == "" || c.Item.Type != ItemAgentMessage {
		return
	}
	c.Break = f.unended && f.spoken != nil && f.spoken != c.Item
	f.spoken, f.unended = c.Item, !strings.HasSuffix(text, "\n")
}

// patchParticipants: "Omitted or null participant IDs mean not supplied and
// leave previously known identities intact" (v2-prompt-lifecycle,
// Session-directed messages). The ids of the counterpart are read alike.
func patchParticipants(m *Message, p *payload) {
	for _, field := range []struct {
		key string
		dst *string
	}{
		{"senderSessionId", &m.Sender},
		{"recipientSessionId", &m.Recipient},
		{"senderMessageId", &m.SenderMessageID},
		{"recipientMessageId", &m.RecipientMessageID},
	} {
		if s, is := p.text(field.key); is == given {
			*field.dst = s
		}
	}
}
