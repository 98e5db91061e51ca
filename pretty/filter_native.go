package pretty

import (
	"bytes"

	"github.com/acptool/acptool/wire/scan"
)

// native is a filter, or the beginning of one, that is simple enough to be run
// on a document's bytes: paths of names, select with simple conditions, and
// "// empty" or "// text" at the end. Most filters that people type are so.
// Where the outcome is not certain, or an error is due, gojq runs the whole
// filter instead, so that every result and every error text is gojq's.
type native struct {
	stages []stage
	whole  bool // the stages are the whole filter
}

// stage is one of a path, a condition, or a path with an alternative.
type stage struct {
	path []step
	cond *condition
	alt  *alternative // after path
}

// step goes to a member by its name.
type step struct {
	name     string
	optional bool // an error gives no result
}

type alternative struct{ text *string } // nil: empty

type condKind uint8

const (
	condTrue  condKind = iota // the value at path is neither false nor null
	condEqual                 // it equals literal
	condNotEqual
	condAnd
	condOr
	condNot
)

type condition struct {
	kind     condKind
	path     []step
	variable string // instead of a path
	literal  []byte // text of a string, or null, true, false as they are
	isText   bool
	a, b     *condition
}

// verdict of a condition, or of a path that leads to nothing.
type verdict uint8

const (
	no verdict = iota
	yesIndeed
	nothing // no result at all: an error that is to be ignored
	unsure
)

// run reports whether the outcome is certain; then it has been written.
func (n *native) run(e *evaluator, doc []byte, v *Vars) bool {
	cur := bytes.TrimSpace(doc)
	for i := range n.stages {
		s := &n.stages[i]
		if s.cond != nil {
			switch s.cond.holds(cur, v) {
			case no, nothing:
				return true
			case unsure:
				return false
			}
			continue
		}
		var found verdict
		switch cur, found = walk(cur, s.path); found {
		case nothing:
			if s.alt == nil {
				return true
			}
			cur = nullValue()
		case unsure:
			return false
		}
		if s.alt != nil && !truthy(cur) {
			if s.alt.text != nil {
				e.emit(*s.alt.text)
			}
			return true
		}
	}
	if !n.whole {
		return false
	}
	e.emitJSON(cur)
	return true
}

func truthy(raw []byte) bool { return string(raw) != "null" && string(raw) != "false" }

func nullValue() []byte { return []byte("null") }

// walk goes down from a value. What is not there is null, as jq has it; where
// jq gives an error, which a ? ignores, there is nothing or it is unsure.
func walk(raw []byte, path []step) ([]byte, verdict) {
	if len(path) == 0 {
		return raw, yesIndeed
	}
	c := scan.Cursor{B: raw}
	return walkAt(&c, path)
}

// walkAt looks at the value at the cursor once, leaving the cursor behind it.
// The last of several members with one name counts.
func walkAt(c *scan.Cursor, path []step) ([]byte, verdict) {
	if len(path) == 0 {
		return c.Skip(), yesIndeed
	}
	if !c.Enter('{') {
		switch {
		case c.At() == 'n':
			c.Skip()
			return nullValue(), yesIndeed
		case path[0].optional:
			c.Skip()
			return nil, nothing
		}
		c.Skip()
		return nil, unsure
	}
	var value []byte
	found := yesIndeed
	for {
		key, ok := c.Key()
		if !ok {
			if value == nil && found == yesIndeed {
				value = nullValue()
			}
			if c.Bad {
				found = unsure
			}
			return value, found
		}
		if string(key) == path[0].name {
			value, found = walkAt(c, path[1:])
		} else {
			c.Skip()
		}
	}
}

// holds decides a condition on a value.
func (k *condition) holds(raw []byte, v *Vars) verdict {
	switch k.kind {
	case condAnd:
		if a := k.a.holds(raw, v); a != yesIndeed {
			return a
		}
		return k.b.holds(raw, v)
	case condOr:
		if a := k.a.holds(raw, v); a != no {
			return a
		}
		return k.b.holds(raw, v)
	case condNot:
		switch a := k.a.holds(raw, v); a {
		case no:
			return yesIndeed
		case yesIndeed:
			return no
		default:
			return a
		}
	}
	value, found := k.value(raw, v)
	if found != yesIndeed {
		return found
	}
	if k.kind == condTrue {
		return verdictOf(truthy(value))
	}
	same, known := k.equals(value)
	if !known {
		return unsure
	}
	return verdictOf(same == (k.kind == condEqual))
}

func verdictOf(b bool) verdict {
	if b {
		return yesIndeed
	}
	return no
}

// value is the value that the condition looks at.
func (k *condition) value(raw []byte, v *Vars) ([]byte, verdict) {
	var text string
	switch k.variable {
	case "":
		return walk(raw, k.path)
	case "$from":
		text = v.From
	case "$method":
		text = v.Method
	case "$session":
		text = v.Session
	}
	if text == "" {
		return nullValue(), yesIndeed
	}
	return appendJSONString(nil, text), yesIndeed
}

func (k *condition) equals(value []byte) (same, known bool) {
	if !k.isText {
		return bytes.Equal(value, k.literal), true
	}
	if len(value) == 0 || value[0] != '"' {
		return false, true
	}
	return bytes.Equal(scan.Text(value), k.literal), true
}

// emitJSON writes a result that is JSON, in jq's spelling.
func (e *evaluator) emitJSON(raw []byte) {
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || e.style != nil {
		e.emit(e.decoder.decode(raw, &want{all: true}))
		return
	}
	e.any, e.truthy = true, truthy(raw)
	if raw[0] != '"' {
		e.out = append(append(e.out, raw...), '\n')
		return
	}
	switch inside := raw[1 : len(raw)-1]; {
	case e.prog.o.Raw && !e.prog.o.Screen.Terminal:
		e.out = append(scan.AppendText(e.out, inside), '\n')
	case e.prog.o.Raw:
		e.raw(scan.Text(raw))
	default:
		e.scratch = scan.AppendText(e.scratch[:0], inside)
		e.out = append(appendJSONString(e.out, e.scratch), '\n')
	}
}
