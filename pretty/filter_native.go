package pretty

import (
	"bytes"

	"github.com/itchyny/gojq"

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
			return true
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
	if text := scan.Text(raw); e.prog.o.Raw {
		e.raw(text)
	} else {
		e.out = append(appendJSONString(e.out, text), '\n')
	}
}

// findNative takes as many stages from the beginning of q as are simple enough;
// nil if that is none.
func findNative(q *gojq.Query) *native {
	if len(q.Imports) > 0 || q.Meta != nil {
		return nil
	}
	n := &native{}
	n.whole = n.take(q)
	last := len(n.stages) - 1
	for last >= 0 && !n.whole && n.stages[last].cond == nil {
		last-- // a path alone decides nothing
	}
	n.stages = n.stages[:last+1]
	if len(n.stages) == 0 {
		return nil
	}
	return n
}

// take adds the stages of q and reports whether all of it could be taken.
func (n *native) take(q *gojq.Query) bool {
	if len(q.FuncDefs) > 0 || len(q.Patterns) > 0 {
		return false
	}
	if q.Op == gojq.OpPipe && q.Term == nil {
		if n.take(q.Left) {
			return n.take(q.Right)
		}
		return false
	}
	if len(n.stages) > 0 && n.stages[len(n.stages)-1].alt != nil {
		return false // an alternative only at the end
	}
	if q.Op == gojq.OpAlt && q.Term == nil {
		path, ok := pathOf(q.Left)
		alt := altOf(q.Right)
		if !ok || alt == nil {
			return false
		}
		n.stages = append(n.stages, stage{path: path, alt: alt})
		return true
	}
	if path, ok := pathOf(q); ok {
		n.stages = append(n.stages, stage{path: path})
		return true
	}
	if t := q.Term; t != nil && t.Type == gojq.TermTypeFunc && t.Func.Name == "select" && len(t.Func.Args) == 1 && len(t.SuffixList) == 0 {
		if cond := conditionOf(t.Func.Args[0]); cond != nil {
			n.stages = append(n.stages, stage{cond: cond})
			return true
		}
	}
	return false
}

func altOf(q *gojq.Query) *alternative {
	if text := literal(q); text != nil {
		return &alternative{text}
	}
	if isFunc(q, "empty") {
		return &alternative{}
	}
	return nil
}

func isFunc(q *gojq.Query, name string) bool {
	t := q.Term
	return len(q.FuncDefs) == 0 && t != nil && t.Type == gojq.TermTypeFunc && t.Func.Name == name &&
		len(t.Func.Args) == 0 && len(t.SuffixList) == 0
}

// pathOf reads a path of names: .a.b?["c"].
func pathOf(q *gojq.Query) ([]step, bool) {
	t := q.Term
	if t == nil || len(q.FuncDefs) > 0 {
		return nil, false
	}
	var path []step
	add := func(i *gojq.Index) bool {
		switch {
		case i.Name != "":
			path = append(path, step{name: i.Name})
		case i.Str != nil && i.Str.Queries == nil:
			path = append(path, step{name: i.Str.Str})
		case i.Str == nil && !i.IsSlice && i.Start != nil && literal(i.Start) != nil:
			path = append(path, step{name: *literal(i.Start)})
		default:
			return false
		}
		return true
	}
	switch t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		if !add(t.Index) {
			return nil, false
		}
	default:
		return nil, false
	}
	for i, s := range t.SuffixList {
		switch {
		case s.Index != nil:
			if !add(s.Index) {
				return nil, false
			}
		case s.Optional && len(path) > 0 && (i == 0 || !t.SuffixList[i-1].Optional):
			path[len(path)-1].optional = true // it belongs to the last step alone
		default:
			return nil, false
		}
	}
	return path, true
}

// conditionOf reads what stands in select(…); nil if it is not simple.
func conditionOf(q *gojq.Query) *condition {
	if len(q.FuncDefs) > 0 || len(q.Patterns) > 0 {
		return nil
	}
	if t := q.Term; t != nil {
		if t.Type == gojq.TermTypeQuery && len(t.SuffixList) == 0 {
			return conditionOf(t.Query)
		}
		return operandOf(q)
	}
	switch q.Op {
	case gojq.OpAnd, gojq.OpOr:
		a, b := conditionOf(q.Left), conditionOf(q.Right)
		if a == nil || b == nil {
			return nil
		}
		kind := condAnd
		if q.Op == gojq.OpOr {
			kind = condOr
		}
		return &condition{kind: kind, a: a, b: b}
	case gojq.OpPipe:
		if a := conditionOf(q.Left); a != nil && isFunc(q.Right, "not") {
			return &condition{kind: condNot, a: a}
		}
	case gojq.OpEq, gojq.OpNe:
		k := operandOf(q.Left)
		lit := q.Right
		if k == nil {
			k, lit = operandOf(q.Right), q.Left
		}
		if k == nil || !k.setLiteral(lit) {
			return nil
		}
		if k.kind = condEqual; q.Op == gojq.OpNe {
			k.kind = condNotEqual
		}
		return k
	}
	return nil
}

// operandOf reads a path or one of the text variables.
func operandOf(q *gojq.Query) *condition {
	if path, ok := pathOf(q); ok {
		return &condition{path: path}
	}
	for _, name := range [...]string{"$from", "$method", "$session"} {
		if isFunc(q, name) {
			return &condition{variable: name}
		}
	}
	return nil
}

func (k *condition) setLiteral(q *gojq.Query) bool {
	if text := literal(q); text != nil {
		k.literal, k.isText = []byte(*text), true
		return true
	}
	if q.Term == nil || len(q.Term.SuffixList) > 0 || len(q.FuncDefs) > 0 {
		return false
	}
	switch q.Term.Type {
	case gojq.TermTypeNull:
		k.literal = []byte("null")
	case gojq.TermTypeTrue:
		k.literal = []byte("true")
	case gojq.TermTypeFalse:
		k.literal = []byte("false")
	default:
		return false
	}
	return true
}
