package wire

import (
	"errors"

	"github.com/acptool/acptool/wire/scan"
)

// What a line can lack to be a message (JSON-RPC 2.0, sections 4 and 5).
var (
	errNotJSON   = errors.New("not valid JSON")
	errNotObject = errors.New("JSON, but no object")
	errVersion   = errors.New(`no "jsonrpc":"2.0"`)
	errMethod    = errors.New("the method is no string, or empty")
	errID        = errors.New("the id is neither string nor number nor null")
	errShape     = errors.New("neither a method, nor an id with exactly one of result and error")
)

// Parse reads one JSON-RPC message: a JSON object with "jsonrpc":"2.0" and
// either a method, or an id and exactly one of result and error (Outcome). White space
// may stand around it. Of members that are there twice the last one counts, as
// in encoding/json. Members are checked to be JSON and not looked into.
func Parse(raw []byte) (Message, error) {
	m, end, err := parseAt(raw, scan.Space(raw, 0))
	if err == nil && scan.Space(raw, end) != len(raw) {
		return Message{}, errNotJSON
	}
	if err != nil {
		return Message{}, err
	}
	return m, nil
}

// parseAt reads the message that begins at b[start] and returns the index
// behind it. If the error is not errNotJSON, that index is right, and the
// message holds what was found.
func parseAt(b []byte, start int) (Message, int, error) {
	if start >= len(b) || b[start] != '{' {
		end := scan.Valid(b, start)
		if end < 0 {
			return Message{}, 0, errNotJSON
		}
		return Message{}, end, errNotObject
	}
	var m Message
	var version, method []byte
	i := scan.Space(b, start+1)
	if i < len(b) && b[i] == '}' {
		return m, i + 1, errVersion
	}
	for {
		i = scan.Space(b, i)
		val := scan.ValidKey(b, i)
		if val < 0 {
			return m, 0, errNotJSON
		}
		key := keyText(b[i:val])
		i = scan.Space(b, val)
		end := scan.Valid(b, i)
		if end < 0 {
			return m, 0, errNotJSON
		}
		switch v := b[i:end:end]; string(key) {
		case "jsonrpc":
			version = v
		case "id":
			m.ID = ID(v)
		case "method":
			method = v
		case "params":
			m.Params = v
		case "result":
			m.Result = v
		case "error":
			m.Error = v
		}
		if i = scan.Space(b, end); i >= len(b) {
			return m, 0, errNotJSON
		}
		if b[i] == '}' {
			i++
			break
		}
		if b[i] != ',' {
			return m, 0, errNotJSON
		}
		i++
	}
	m.Raw = b[start:i:i]
	return m, i, m.check(version, method)
}

// keyText is the text of the key in b, which begins with it and may hold what
// follows it.
func keyText(b []byte) []byte {
	end := scan.String(b, 0)
	return scan.Text(b[:end])
}

// check completes m and says what keeps it from being a message.
func (m *Message) check(version, method []byte) error {
	if string(version) != `"2.0"` && string(scan.Text(version)) != "2.0" {
		return errVersion
	}
	if method != nil {
		if m.Method = string(scan.Text(method)); m.Method == "" {
			return errMethod
		}
	}
	if m.ID != "" {
		switch c := m.ID[0]; {
		case c == '"', c == '-', c >= '0' && c <= '9', m.ID == "null":
		default:
			return errID
		}
	}
	if m.Result != nil && m.Error != nil && method == nil {
		m.Result, m.Error = Outcome(m.Result, m.Error)
		m.spare = m.Result == nil || m.Error == nil
	}
	if method != nil && (m.Result != nil || m.Error != nil) || m.Kind() == KindInvalid {
		return errShape
	}
	return nil
}
