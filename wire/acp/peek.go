package acp

import (
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// Peeked is what a glance at a message shows: enough for a log line, a filter's
// variables or a selection, found without building a tree. All slices are views
// of the line where possible; nil means that the member is not there.
type Peeked struct {
	ID      []byte // raw JSON
	Method  []byte // text
	Params  []byte // raw JSON
	Result  []byte // raw JSON
	Error   []byte // raw JSON
	Session []byte // text of params.sessionId, or of result.sessionId
	Update  []byte // raw JSON of params.update
	Kind    []byte // text of params.update.sessionUpdate
	Content []byte // raw JSON of the update's content or data
	Entity  []byte // raw JSON of the id of what the update is about: its messageId, toolCallId, terminalId or compactionId
}

// Peek glances at one JSON-RPC message. It reports false when line is no JSON
// object. A member that is there twice counts as the last one, as in
// encoding/json. It does not check that the whole line is valid JSON: what it
// says of a line that is not is unspecified.
func Peek(line []byte) (Peeked, bool) {
	var p Peeked
	c := scan.Cursor{B: line}
	if !c.Enter('{') {
		return p, false
	}
	var resultSession []byte
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "id":
			p.ID = c.Skip()
		case "method":
			p.Method = scan.Text(c.Skip())
		case "params":
			p.peekParams(&c)
		case "result":
			p.Result, resultSession = peekResult(&c)
		case "error":
			p.Error = c.Skip()
		default:
			c.Skip()
		}
	}
	if p.Result != nil && p.Error != nil {
		p.Result, p.Error = wire.Outcome(p.Result, p.Error)
	}
	if p.Session == nil {
		p.Session = resultSession
	}
	return p, !c.Bad && c.At() == 0
}

// peekParams walks over params once, noting what it meets.
func (p *Peeked) peekParams(c *scan.Cursor) {
	p.Session = nil
	p.Update, p.Kind, p.Content, p.Entity = nil, nil, nil, nil
	start := c.I
	if !c.Enter('{') {
		p.Params = c.Skip()
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "sessionId":
			p.Session = scan.Text(c.Skip())
		case "update":
			p.peekUpdate(c)
		default:
			c.Skip()
		}
	}
	p.Params = c.B[start:c.I]
}

func (p *Peeked) peekUpdate(c *scan.Cursor) {
	p.Kind, p.Content, p.Entity = nil, nil, nil
	start := c.I
	if !c.Enter('{') {
		p.Update = c.Skip()
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		v := c.Skip()
		switch string(key) {
		case "sessionUpdate":
			p.Kind = scan.Text(v)
		case "content", "data":
			p.Content = v
		case "messageId", "toolCallId", "terminalId", "compactionId":
			p.Entity = v
		}
	}
	p.Update = c.B[start:c.I]
}

func peekResult(c *scan.Cursor) (result, session []byte) {
	start := c.I
	if !c.Enter('{') {
		return c.Skip(), nil
	}
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		if v := c.Skip(); string(key) == "sessionId" {
			session = scan.Text(v)
		}
	}
	return c.B[start:c.I], session
}
