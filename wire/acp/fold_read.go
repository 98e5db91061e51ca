package acp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/acptool/acptool/wire/scan"
)

// presence is what a member of a patch says: nothing, null, a value, or a value
// of the wrong type (which is reported, and changes nothing).
type presence uint8

const (
	omitted presence = iota
	isNull
	given
	wrong
)

// member is one member of a JSON object; value is raw.
type member struct {
	key   string
	value json.RawMessage
}

// payload is a JSON object that is read member by member; what is malformed is
// noted with its path.
type payload struct {
	members  []member
	path     string // JSON pointer to the object
	problems *[]Problem
}

// readPayload takes an object apart; it reports false, with a problem, if raw
// is none.
func readPayload(raw json.RawMessage, path string, problems *[]Problem) (payload, bool) {
	p := payload{path: path, problems: problems}
	c := scan.Cursor{B: raw}
	if !c.Enter('{') {
		p.fault("", "is not an object")
		return p, false
	}
	p.members = make([]member, 0, 8)
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		value := c.Skip()
		if c.Bad {
			break
		}
		p.members = append(p.members, member{string(key), value})
	}
	if c.Bad {
		p.fault("", "is not valid JSON")
	}
	return p, !c.Bad
}

func (p *payload) fault(key, message string) {
	path := p.path
	if key != "" {
		path += "/" + key
	}
	*p.problems = append(*p.problems, Problem{path, message})
}

// raw is the value of a member, whatever it is. A member that is there twice
// counts as the last, as in other readers.
func (p *payload) raw(key string) (json.RawMessage, presence) {
	for _, m := range slices.Backward(p.members) {
		if m.key == key {
			if string(m.value) == "null" {
				return nil, isNull
			}
			return m.value, given
		}
	}
	return nil, omitted
}

// typed is raw for a value that has to begin with one of these bytes.
func (p *payload) typed(key, first, message string) (json.RawMessage, presence) {
	v, is := p.raw(key)
	if is == given && (len(v) == 0 || bytes.IndexByte([]byte(first), v[0]) < 0) {
		p.fault(key, message)
		return nil, wrong
	}
	return v, is
}

func (p *payload) text(key string) (string, presence) {
	v, is := p.typed(key, `"`, "is not a string")
	return string(scan.Text(v)), is
}

func (p *payload) object(key string) (json.RawMessage, presence) {
	return p.typed(key, "{", "is not an object")
}

func (p *payload) number(key string) (json.RawMessage, presence) {
	return p.typed(key, "-0123456789", "is not a number")
}

func (p *payload) array(key string) ([]json.RawMessage, presence) {
	v, is := p.typed(key, "[", "is not an array")
	if is != given {
		return nil, is
	}
	return elements(v), given
}

// need turns a member that is missing or null into a problem.
func (p *payload) need(key string, is presence) bool {
	switch is {
	case omitted:
		p.fault(key, "is missing")
	case isNull:
		p.fault(key, "is null")
	}
	return is == given
}

func (p *payload) needText(key string) (string, bool) {
	s, is := p.text(key)
	return s, p.need(key, is)
}

func (p *payload) needNumber(key string) (json.RawMessage, bool) {
	v, is := p.number(key)
	return v, p.need(key, is)
}

func (p *payload) needArray(key string) ([]json.RawMessage, bool) {
	v, is := p.array(key)
	return v, p.need(key, is)
}

// needID is needText for an id, which an empty string is not.
func (p *payload) needID(key string) (string, bool) {
	s, ok := p.needText(key)
	if ok && s == "" {
		p.fault(key, "is empty")
		return "", false
	}
	return s, ok
}

// without is the object again, less some members; values as they came.
func (p *payload) without(keys ...string) json.RawMessage {
	return appendMembers(nil, slices.DeleteFunc(slices.Clone(p.members), func(m member) bool {
		return slices.Contains(keys, m.key)
	}))
}

// appendMembers appends a JSON object.
func appendMembers(dst []byte, members []member) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, m.key), ':')
		dst = append(dst, oneLine(m.value)...)
	}
	return append(dst, '}')
}

// elements is the elements of a JSON array.
func elements(raw json.RawMessage) []json.RawMessage {
	c := scan.Cursor{B: raw}
	if !c.Enter('[') {
		return nil
	}
	list := []json.RawMessage{}
	for c.Next() {
		if v := c.Skip(); !c.Bad {
			list = append(list, v)
		}
	}
	return list
}

// at is the path of the i-th element of a member.
func (p *payload) at(key string, i int) string {
	return p.path + "/" + key + "/" + strconv.Itoa(i)
}

// patchText applies a three-state string member: null clears.
func (p *payload) patchText(dst *string, key string) {
	switch s, is := p.text(key); is {
	case given:
		*dst = s
	case isNull:
		*dst = ""
	}
}

// patchObject and patchRaw apply a three-state member that is kept as it came.
func (p *payload) patchObject(dst *json.RawMessage, key string) {
	v, is := p.object(key)
	patch(dst, v, is)
}

func (p *payload) patchRaw(dst *json.RawMessage, key string) {
	v, is := p.raw(key)
	patch(dst, v, is)
}

func patch(dst *json.RawMessage, v json.RawMessage, is presence) {
	switch is {
	case given:
		*dst = clone(v)
	case isNull:
		*dst = nil
	}
}

// clone copies what is to be kept: an update is a view of a line that may be
// large or used again.
func clone(raw json.RawMessage) json.RawMessage { return bytes.Clone(oneLine(raw)) }

// oneLine is JSON that stands on one line, as a folded session does: only what
// did not come from a wire (an imported document) may need it.
func oneLine(raw json.RawMessage) json.RawMessage {
	if bytes.IndexByte(raw, '\n') < 0 {
		return raw
	}
	var line bytes.Buffer
	if json.Compact(&line, raw) != nil {
		return raw
	}
	return line.Bytes()
}

func cloneAll(list []json.RawMessage) []json.RawMessage {
	copied := make([]json.RawMessage, len(list))
	for i, v := range list {
		copied[i] = clone(v)
	}
	return copied
}

// appendString appends a JSON string.
func appendString(dst []byte, s string) []byte {
	quoted, err := json.Marshal(s) // cannot fail on a string
	if err != nil {
		return append(dst, `""`...)
	}
	return append(dst, quoted...)
}
