package replay

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
	"github.com/itchyny/gojq"
)

// stamp is the shape of a time as agents write it (RFC 3339).
var stamp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$`)
})

// mask replaces what differs from run to run: the agent's ids, and times.
func mask(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			switch m := m.(type) {
			case string:
				if madeByAgent(k) {
					v[k] = "(id)"
				} else {
					v[k] = mask(m)
				}
			case json.Number:
				if strings.HasSuffix(k, "At") || k == "timestamp" {
					v[k] = "(time)"
				}
			default:
				v[k] = mask(m)
			}
		}
	case []any:
		for i := range v {
			v[i] = mask(v[i])
		}
	case string:
		if len(v) < 40 && len(v) > 15 && stamp().MatchString(v) {
			return "(time)"
		}
	}
	return v
}

// collect gathers the ids of the agent's making.
func collect(v any, out map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			if s, ok := m.(string); ok && madeByAgent(k) {
				out[s] = true
			}
			collect(m, out)
		}
	case []any:
		for _, m := range v {
			collect(m, out)
		}
	}
}

// Ignore are jq paths that a comparison leaves out.
type Ignore struct{ codes []*gojq.Code }

// IgnoreError says that a path is none.
type IgnoreError struct {
	Path string
	Err  error
}

func (e *IgnoreError) Error() string { return fmt.Sprintf("%q is no jq path: %v", e.Path, e.Err) }
func (e *IgnoreError) Unwrap() error { return e.Err }

// NewIgnore compiles jq paths, such as .params.update._meta.
//
// Errors: *IgnoreError.
func NewIgnore(paths []string) (*Ignore, error) {
	ig := &Ignore{}
	for _, p := range paths {
		q, err := gojq.Parse("del(" + p + ")")
		if err == nil {
			var code *gojq.Code
			if code, err = gojq.Compile(q); err == nil {
				ig.codes = append(ig.codes, code)
			}
		}
		if err != nil {
			return nil, &IgnoreError{p, err}
		}
	}
	return ig, nil
}

// from takes the paths out of a message. One that does not apply to it takes
// nothing out.
func (ig *Ignore) from(v any) any {
	if ig == nil {
		return v
	}
	for _, code := range ig.codes {
		if out, ok := code.Run(v).Next(); ok {
			if _, failed := out.(error); !failed {
				v = out
			}
		}
	}
	return v
}

// Sendable says whether all that the client sent can be sent again: what was
// redacted cannot, but for values of MCP env that getenv knows.
func (s *Script) Sendable(getenv func(string) (string, bool)) error {
	for _, f := range s.Frames {
		if f.From != wire.Client || f.Noise() {
			continue
		}
		raw := f.Raw
		if getenv != nil {
			raw = filled(raw, getenv)
		}
		at, env := redactedAt("", value(raw))
		if at == "" {
			continue
		}
		hint := "write the value into the file, or record with --no-redact"
		switch {
		case env != "" && getenv == nil:
			hint = "--fill-env takes it from the environment"
		case env != "":
			hint = "set the variable " + env
		}
		return &LoadError{fmt.Sprintf("%s cannot be sent: %s was redacted at %s", f.what(), at, f.Place()), hint}
	}
	return nil
}

func (f *Frame) what() string {
	if f.Kind() == wire.KindResponse {
		return "the answer to " + f.asked.Method
	}
	return f.Method
}

// redactedAt is the first place of a redacted string, and the variable's name
// if it is a value of an env list.
func redactedAt(path string, v any) (at, env string) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range keys(v) {
			if at, env = redactedAt(path+"/"+pointerToken(k), v[k]); at != "" {
				name, _ := v["name"].(string)
				if k == "value" && name != "" && isEnv(path) {
					env = name
				}
				return at, env
			}
		}
	case []any:
		for i, m := range v {
			if at, env = redactedAt(path+"/"+strconv.Itoa(i), m); at != "" {
				return at, env
			}
		}
	case string:
		if strings.Contains(v, record.Redacted) {
			return path, ""
		}
	}
	return "", ""
}

// isEnv says whether a pointer names a member of an env list.
func isEnv(path string) bool {
	parts := strings.Split(path, "/")
	return len(parts) > 2 && parts[len(parts)-2] == "env"
}

// filled puts values from the environment in place of redacted ones.
func filled(raw []byte, getenv func(string) (string, bool)) []byte {
	for {
		at, name := redactedAt("", value(raw))
		if name == "" {
			return raw
		}
		v, ok := getenv(name)
		old := locate(raw, at)
		if !ok || old == nil || strings.Contains(v, record.Redacted) {
			return raw
		}
		i := cap(raw) - cap(old)
		raw = []byte(string(raw[:i]) + string(encode(v)) + string(raw[i+len(old):]))
	}
}

// locate is the value at a JSON pointer, as a view of raw.
func locate(raw []byte, pointer string) []byte {
	for _, tok := range strings.Split(pointer, "/")[1:] {
		tok = strings.NewReplacer("~1", "/", "~0", "~").Replace(tok)
		c := scan.Cursor{B: raw}
		if !c.Enter('[') {
			raw = scan.Member(raw, tok)
			continue
		}
		n, _ := strconv.Atoi(tok)
		raw = nil
		for i := 0; c.Next(); i++ {
			if v := c.Skip(); i == n {
				raw = v
				break
			}
		}
		if raw == nil {
			return nil
		}
	}
	return raw
}
