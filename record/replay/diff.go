package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/acptool/acptool/record"
)

// Change is one place where two JSON values differ.
type Change struct {
	Path string          `json:"path"`               // JSON pointer
	Old  json.RawMessage `json:"recorded,omitempty"` // nil: was not there
	New  json.RawMessage `json:"live,omitempty"`     // nil: is not there
}

func (c Change) String() string {
	path := c.Path
	if path == "" {
		path = "/"
	}
	switch {
	case c.Old == nil:
		return fmt.Sprintf("%s: not recorded, now %s", path, brief(c.New))
	case c.New == nil:
		return fmt.Sprintf("%s: recorded %s, now missing", path, brief(c.Old))
	}
	return fmt.Sprintf("%s: recorded %s, now %s", path, brief(c.Old), brief(c.New))
}

func brief(raw json.RawMessage) string {
	const most = 300
	r := []rune(string(raw))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most]) + fmt.Sprintf("… (%d characters)", len(r))
}

// diff lists the places where live differs from recorded, in the order of the
// keys. What was redacted in recorded differs from nothing.
func diff(recorded, live any) []Change { return appendDiff(nil, "", recorded, live) }

func appendDiff(out []Change, path string, recorded, live any) []Change {
	switch r := recorded.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok {
			break
		}
		for _, k := range keys(r) {
			at := path + "/" + pointerToken(k)
			if v, ok := l[k]; ok {
				out = appendDiff(out, at, r[k], v)
			} else {
				out = append(out, Change{at, encode(r[k]), nil})
			}
		}
		for _, k := range keys(l) {
			if _, ok := r[k]; !ok {
				out = append(out, Change{path + "/" + pointerToken(k), nil, encode(l[k])})
			}
		}
		return out
	case []any:
		l, ok := live.([]any)
		if !ok {
			break
		}
		for i := range max(len(r), len(l)) {
			at := fmt.Sprintf("%s/%d", path, i)
			switch {
			case i >= len(l):
				out = append(out, Change{at, encode(r[i]), nil})
			case i >= len(r):
				out = append(out, Change{at, nil, encode(l[i])})
			default:
				out = appendDiff(out, at, r[i], l[i])
			}
		}
		return out
	case string:
		l, ok := live.(string)
		if r == record.Redacted || ok && (r == l || matchesRedacted(r, l)) {
			return out
		}
	case json.Number:
		if l, ok := live.(json.Number); ok && sameNumber(r, l) {
			return out
		}
	default:
		if !isContainer(live) && recorded == live {
			return out
		}
	}
	return append(out, Change{path, encode(recorded), encode(live)})
}

func isContainer(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSpace(b.Bytes())
}

func pointerToken(k string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
}
