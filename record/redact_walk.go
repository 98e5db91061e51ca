package record

import (
	"bytes"
	"strconv"

	"github.com/acptool/acptool/wire/scan"
)

// rule is what the place of a value says about it.
type rule uint8

const (
	rulePlain  rule = iota
	ruleSecret      // the string here, or the strings of the list here, are secret
	ruleAll         // every string from here down is secret
	ruleLogin       // as ruleAll, but for the login's own members
	rulePairs       // an object of name and value, or a list of {"name", "value"}
	rulePair        // one object of such a list
)

// leafFunc decides about one string value: key is the member it stands in (nil
// in lists), raw its text with quotes. It returns the new content.
type leafFunc func(w *walker, r rule, key, raw []byte) ([]byte, bool)

// walker goes through a valid frame and copies it, with other string values
// where leaf says so. Everything else is copied byte for byte.
type walker struct {
	b     []byte
	i     int
	out   []byte // copy of b[:done] with replacements; nil while nothing changed
	done  int
	path  []step
	ptrs  []string
	leaf  leafFunc
	child func(parent rule, key []byte) rule
	login bool  // the frame names a method that logs in
	hits  []int // places that are worth a look; those behind i
}

// step is one step of the path from the frame to a value.
type step struct {
	key   []byte // raw, without quotes; nil in a list
	index int
}

// frame walks a frame for secrets.
func (r *Redactor) frame(line []byte) ([]byte, []string) {
	w := &walker{b: line, leaf: r.secretLeaf, child: secretChild, hits: r.hits}
	w.login = bytes.Contains(line, []byte("authenticate")) || bytes.Contains(line, []byte("login")) || hiding(line, 0) >= 0
	return w.run()
}

func (w *walker) run() ([]byte, []string) {
	w.i = scan.Space(w.b, 0)
	w.value(rulePlain)
	if w.out == nil {
		return w.b, nil
	}
	return append(w.out, w.b[w.done:]...), w.ptrs
}

// secretChild is the rule for the member key of an object under parent.
func secretChild(parent rule, key []byte) rule {
	switch parent {
	case ruleAll:
		return ruleAll
	case ruleLogin:
		if string(key) == "methodId" {
			return rulePlain
		}
		return ruleAll
	case rulePairs:
		return ruleSecret
	case rulePair:
		if string(key) == "value" {
			return ruleSecret
		}
	}
	switch classifyName(key) {
	case nameSecret:
		return ruleSecret
	case nameBag:
		return ruleAll
	case namePairs:
		return rulePairs
	}
	return rulePlain
}

// hit says whether a place that is worth a look lies in b[start:end]. It is
// asked from left to right.
func (w *walker) hit(start, end int) bool {
	for len(w.hits) > 0 && w.hits[0] < start {
		w.hits = w.hits[1:]
	}
	return len(w.hits) > 0 && w.hits[0] < end
}

func (w *walker) value(r rule) {
	switch w.b[w.i] {
	case '{':
		w.object(r)
	case '[':
		w.array(r)
	case '"':
		w.str(r, nil)
	default:
		w.i, _ = scan.Check(w.b, w.i, 0)
	}
}

func (w *walker) object(r rule) {
	login := w.login && w.isMessage() && isLogin(w.b[w.i:])
	w.i = scan.Space(w.b, w.i+1)
	w.path = append(w.path, step{})
	for w.b[w.i] != '}' {
		end := scan.ValidString(w.b, w.i)
		raw := w.b[w.i:end]
		key := scan.Text(raw)
		w.path[len(w.path)-1].key = key
		worth := w.hit(w.i, end)
		w.i = scan.Space(w.b, end)   // at the colon
		w.i = scan.Space(w.b, w.i+1) // at the value
		rule := rulePlain
		if worth || r != rulePlain {
			rule = w.child(r, key)
		}
		if login && string(key) == "params" {
			rule = ruleLogin
		}
		if w.b[w.i] == '"' {
			w.str(rule, key)
		} else {
			if r == rulePairs && rule == ruleSecret && w.b[w.i] == '{' {
				rule = rulePlain // {"env":{"A":{…}}} is no environment
			}
			w.value(rule)
		}
		w.next()
	}
	w.path = w.path[:len(w.path)-1]
	w.i++
}

func (w *walker) array(r rule) {
	w.i = scan.Space(w.b, w.i+1)
	w.path = append(w.path, step{})
	var flag []byte // the string before this one
	for n := 0; w.b[w.i] != ']'; n++ {
		w.path[len(w.path)-1].index = n
		rule := r
		switch {
		case r == rulePairs && w.b[w.i] == '{':
			rule = rulePair
		case r == rulePairs && w.b[w.i] == '[': // ["name", "value"]
			rule = rulePair
		case r == ruleSecret && w.b[w.i] != '"':
			rule = rulePlain
		case r == rulePair && n == 1 && w.b[w.i] == '"':
			rule = ruleSecret
		case r == rulePair:
			rule = rulePlain
		}
		if w.b[w.i] == '"' {
			begin := w.i
			if rule == rulePlain && flag != nil && namesSecret(flag) {
				rule = ruleSecret
			}
			w.str(rule, nil)
			flag = unquoteShort(w.b[begin:w.i])
		} else {
			flag = nil
			w.value(rule)
		}
		w.next()
	}
	w.path = w.path[:len(w.path)-1]
	w.i++
}

// unquoteShort returns what a string stands for if it is short enough to be a
// flag.
func unquoteShort(raw []byte) []byte {
	if len(raw) > 66 || len(raw) < 4 || raw[1] != '-' && raw[1] != '\\' {
		return nil
	}
	return scan.Text(raw)
}

// next goes from the end of a value to the next one, or to the closing bracket.
func (w *walker) next() {
	w.i = scan.Space(w.b, w.i)
	if w.b[w.i] == ',' {
		w.i = scan.Space(w.b, w.i+1)
	}
}

func (w *walker) str(r rule, key []byte) {
	end := scan.ValidString(w.b, w.i)
	raw := w.b[w.i:end]
	if content, ok := w.leaf(w, r, key, raw); ok {
		w.replace(w.i, end, content)
	}
	w.i = end
}

// replace puts a string of this content in place of b[start:end].
func (w *walker) replace(start, end int, content []byte) {
	if w.out == nil {
		w.out = make([]byte, 0, len(w.b)+64)
	}
	w.out = append(w.out, w.b[w.done:start]...)
	w.out = appendString(w.out, validText(content))
	w.done = end
	w.ptrs = append(w.ptrs, w.pointer())
}

// pointer is the JSON pointer (RFC 6901) of the value at hand.
func (w *walker) pointer() string {
	var p []byte
	for _, s := range w.path {
		p = append(p, '/')
		if s.key == nil {
			p = strconv.AppendInt(p, int64(s.index), 10)
			continue
		}
		for _, c := range validText(s.key) {
			switch c {
			case '~':
				p = append(p, "~0"...)
			case '/':
				p = append(p, "~1"...)
			default:
				p = append(p, c)
			}
		}
	}
	return string(p)
}

// isMessage says whether the object at hand is a JSON-RPC message: the frame
// itself or a member of a batch.
func (w *walker) isMessage() bool {
	return len(w.path) == 0 || len(w.path) == 1 && w.path[0].key == nil
}

// isLogin says whether the message that begins b calls a method that logs in
// (v1 authenticate, v2 auth/login).
func isLogin(b []byte) bool {
	switch string(topMember(b, "method")) {
	case "authenticate", "auth/login":
		return true
	}
	return false
}

// topMember returns the string member of that name of the object that begins
// b, the last if there are several, or nil.
func topMember(b []byte, name string) []byte {
	var found []byte
	i := scan.Space(b, 1)
	for i < len(b) && b[i] == '"' {
		end := scan.ValidString(b, i)
		key := scan.Text(b[i:end])
		i = scan.Space(b, end)
		i = scan.Space(b, i+1)
		end = scan.Valid(b, i)
		if end < 0 {
			return nil
		}
		if string(key) == name && b[i] == '"' {
			found = scan.Text(b[i:end])
		}
		if i = scan.Space(b, end); i < len(b) && b[i] == ',' {
			i = scan.Space(b, i+1)
		}
	}
	return found
}

// secretLeaf decides about one string of a frame.
func (r *Redactor) secretLeaf(w *walker, rule rule, key, raw []byte) ([]byte, bool) {
	switch rule {
	case ruleSecret, ruleAll, ruleLogin:
		if len(raw) == 2 || string(raw) == `"`+Redacted+`"` {
			return nil, false
		}
		return []byte(Redacted), true
	case rulePairs: // an environment as a list of NAME=value, headers as one of "Name: value"
		text := scan.Text(raw)
		between := "=:"
		if key != nil {
			between = "="
		}
		at := bytes.IndexAny(text, between) + 1
		for at > 1 && at < len(text) && text[at] == ' ' {
			at++
		}
		if at > 1 && at < len(text) && string(text[at:]) != Redacted {
			return append(bytes.Clone(text[:at]), Redacted...), true
		}
	}
	if string(key) == "id" && len(w.path) <= 2 || string(key) == "sessionId" {
		return nil, false // ids survive, whatever they look like
	}
	if len(raw) < 5 || !w.hit(w.i, w.i+len(raw)) {
		return nil, false
	}
	return r.text(scan.Text(raw))
}
