package record

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"
)

// jqPaths takes out what jq path expressions name.
type jqPaths struct {
	codes []*gojq.Code
}

func newJQPaths(list []string) (*jqPaths, error) {
	if len(list) == 0 {
		return nil, nil
	}
	p := &jqPaths{}
	for _, text := range list {
		// Parsed alone first, so that an error speaks of what was given.
		if _, err := gojq.Parse(text); err != nil {
			return nil, &OptionError{Value: text, Err: err}
		}
		query, err := gojq.Parse("path(" + text + "\n)")
		if err != nil {
			return nil, &OptionError{Value: text, Err: err}
		}
		code, err := gojq.Compile(query)
		if err != nil {
			return nil, &OptionError{Value: text, Err: err}
		}
		p.codes = append(p.codes, code)
	}
	return p, nil
}

// redact takes the strings at and below the named places out of a frame; of
// the members of a batch one by one. A message that the expression does not fit
// has none.
func (p *jqPaths) redact(frame []byte) ([]byte, []string) {
	dec := json.NewDecoder(bytes.NewReader(frame))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return frame, nil
	}
	places := map[string]bool{}
	if batch, ok := v.([]any); ok {
		for i, m := range batch {
			p.find(m, "/"+strconv.Itoa(i), places)
		}
	} else {
		p.find(v, "", places)
	}
	if len(places) == 0 {
		return frame, nil
	}
	w := &walker{b: frame, child: func(rule, []byte) rule { return rulePlain }}
	w.leaf = func(w *walker, _ rule, _, raw []byte) ([]byte, bool) {
		if len(raw) == 2 || string(raw) == `"`+Redacted+`"` {
			return nil, false
		}
		for at := w.pointer(); ; at = at[:strings.LastIndexByte(at, '/')] {
			if places[at] {
				return []byte(Redacted), true
			}
			if at == "" {
				return nil, false
			}
		}
	}
	return w.run()
}

// find adds the pointers of the places in one message.
func (p *jqPaths) find(message any, prefix string, places map[string]bool) {
	for _, code := range p.codes {
		iter := code.Run(message)
		for {
			v, ok := iter.Next()
			if !ok {
				break
			}
			path, ok := v.([]any)
			if !ok {
				break // an error: the expression does not fit this message
			}
			if at, ok := pointerOf(prefix, path); ok {
				places[at] = true
			}
		}
	}
}

// pointerOf spells a jq path as a JSON pointer. Paths of slices and of negative
// indices have none.
func pointerOf(prefix string, path []any) (string, bool) {
	var b strings.Builder
	b.WriteString(prefix)
	for _, step := range path {
		b.WriteByte('/')
		switch s := step.(type) {
		case string:
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(s))
		case int:
			if s < 0 {
				return "", false
			}
			b.WriteString(strconv.Itoa(s))
		default:
			return "", false
		}
	}
	return b.String(), true
}

// ParseRedact sorts the values of --redact: a list of the words paths, ids and
// text asks for a copy fit to share, anything else is a jq path expression.
func ParseRedact(values []string) RedactOptions {
	var o RedactOptions
	for _, v := range values {
		words := strings.Split(v, ",")
		if isShareKind(words) {
			o.Share = append(o.Share, words...)
		} else {
			o.Paths = append(o.Paths, v)
		}
	}
	return o
}

func isShareKind(words []string) bool {
	for _, w := range words {
		if w != "paths" && w != "ids" && w != "text" {
			return false
		}
	}
	return true
}
