package pretty

import (
	"encoding/json"
	"math/big"

	"github.com/itchyny/gojq"

	"github.com/acptool/acptool/wire/scan"
)

// want says which part of a value has to be decoded. A value that is no object
// (or, with each, no array) is always decoded whole, so that what a filter says
// of it when it is not what was expected is the same.
type want struct {
	all  bool
	kids map[string]*want // members of an object
	each *want            // every element of an array, every member of an object
}

// decoder turns valid JSON into gojq's types: nil, bool, json.Number, string,
// []any and map[string]any. As in encoding/json, the last of several members
// with one name counts.
type decoder struct {
	keys map[string]string // the few names that recur, so that they need no copies
	maps []map[string]any  // made for objects; those from free on can be used again
	free int
}

// A decoder keeps so many names, and so many maps with so many members.
const (
	mostKeys    = 1024
	mostMaps    = 256
	mostMembers = 64
)

// decodeAll decodes a whole document.
func decodeAll(doc []byte) any {
	var d decoder
	return d.decode(doc, &want{all: true})
}

// decode decodes what w asks for.
func (d *decoder) decode(doc []byte, w *want) any {
	c := scan.Cursor{B: doc}
	return d.value(&c, w)
}

// forget says that nothing of what was decoded is used any more.
func (d *decoder) forget() {
	kept := d.maps[:0]
	for i, m := range d.maps {
		if i < d.free {
			if len(m) > mostMembers {
				continue
			}
			clear(m)
		}
		kept = append(kept, m)
	}
	clear(d.maps[len(kept):])
	d.maps, d.free = kept, 0
}

// newMap is a map for an object, one that was forgotten if there is one: making
// new ones was a seventh of what a filter costs.
func (d *decoder) newMap(size int) map[string]any {
	if d.free < len(d.maps) {
		d.free++
		return d.maps[d.free-1]
	}
	m := make(map[string]any, size)
	if d.free < mostMaps {
		d.maps = append(d.maps, m)
		d.free++
	}
	return m
}

func (d *decoder) value(c *scan.Cursor, w *want) any {
	switch c.At() {
	case '{':
		return d.object(c, w)
	case '[':
		return d.array(c, w)
	case '"':
		return string(scan.Text(c.Skip()))
	case 't':
		c.Skip()
		return true
	case 'f':
		c.Skip()
		return false
	case 'n', 0:
		c.Skip()
		return nil
	}
	return json.Number(c.Skip())
}

func (d *decoder) object(c *scan.Cursor, w *want) any {
	m := d.newMap(min(len(w.kids), 8))
	for c.Enter('{'); ; {
		key, ok := c.Key()
		if !ok {
			return m
		}
		kid := w
		if !w.all {
			if kid = w.kids[string(key)]; kid == nil {
				kid = w.each
			}
		}
		if kid == nil {
			c.Skip()
			continue
		}
		name := d.key(key)
		m[name] = d.value(c, kid)
	}
}

func (d *decoder) array(c *scan.Cursor, w *want) any {
	kid := w.each
	if w.all || kid == nil {
		kid = &want{all: true}
	}
	a := []any{}
	for c.Enter('['); c.Next(); {
		a = append(a, d.value(c, kid))
	}
	return a
}

func (d *decoder) key(b []byte) string {
	if s, ok := d.keys[string(b)]; ok {
		return s
	}
	s := string(b)
	if d.keys == nil {
		d.keys = make(map[string]string)
	}
	if len(d.keys) < mostKeys && len(s) <= 64 {
		d.keys[s] = s
	}
	return s
}

// appendValue adds v (of gojq's types) as compact JSON, as jq spells it.
func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case int:
		return appendInt(dst, v)
	case json.Number:
		return append(dst, v...)
	case string:
		return appendJSONString(dst, v)
	case float64, *big.Int:
		b, err := gojq.Marshal(v)
		if err != nil {
			return append(dst, "null"...)
		}
		return append(dst, b...)
	case []any:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, x)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		for i, k := range sortedKeys(v) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendJSONString(dst, k), ':')
			dst = appendValue(dst, v[k])
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}
