package record

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// valueScanner reads JSON values from lines: mostly one a line, but a value may
// go on over several lines, as when somebody pretty-printed the file.
type valueScanner struct {
	lines *lineScanner
	held  []heldLine // lines that were read too far
	torn  *int
	noise bool // return lines that are no JSON, instead of an error
}

type heldLine struct {
	text  []byte
	at    int
	alone bool // it was tried already whether a value goes on over the next lines
}

// value is one JSON value of the file.
type value struct {
	text []byte // without white space around it
	line int    // where it begins
	json bool   // false: a line that is no JSON, with noise set
}

var errNotJSON = errorText("not JSON")

type errorText string

func (e errorText) Error() string { return string(e) }

// next returns the next value, passing over blank lines and counting what is
// cut off.
func (s *valueScanner) next() (value, error) {
	for {
		l, err := s.line()
		if err != nil {
			return value{}, err
		}
		text, at := trimJSON(l.text), l.at
		if len(text) == 0 {
			continue
		}
		end, ok := scan.Check(text, 0, 0)
		switch {
		case ok && end == len(text):
			return value{text, at, true}, nil
		case !ok && end >= len(text) && (text[0] == '{' || text[0] == '[') && !l.alone:
			v, whole, err := s.more(text, at)
			if err != nil {
				return value{}, err
			}
			if whole {
				return v, nil
			}
			if s.noise {
				return value{text, at, false}, nil
			}
			*s.torn++
		case s.noise:
			return value{text, at, false}, nil
		default:
			// A file that was cut off with another one behind it.
			if k := bytes.Index(text, []byte(`{"format":"`)); k > 0 {
				*s.torn++
				s.held = append(s.held, heldLine{text: text[k:], at: at})
				continue
			}
			return value{}, &FormatError{Line: at, Text: excerpt(text), Err: errNotJSON}
		}
	}
}

func (s *valueScanner) line() (heldLine, error) {
	if len(s.held) > 0 {
		l := s.held[0]
		s.held = s.held[1:]
		return l, nil
	}
	text, _, err := s.lines.next()
	return heldLine{text: text, at: s.lines.line}, err
}

// more reads on after the first line of a value that goes on. A line that
// begins like an entry, at the very beginning of the line, ends the attempt:
// then the value was cut off. Where lines that are no JSON count, an attempt
// that failed gives them back.
func (s *valueScanner) more(first []byte, at int) (value, bool, error) {
	depth, ok := nesting(first, 0)
	if !ok {
		return value{}, false, nil // cut off in the middle of a string
	}
	text := bytes.Clone(first)
	var taken []heldLine
	fail := func() (value, bool, error) {
		if s.noise {
			s.held = append(taken, s.held...)
		}
		return value{}, false, nil
	}
	for depth > 0 {
		l, err := s.line()
		if err == io.EOF {
			return fail()
		}
		if err != nil {
			return value{}, false, err
		}
		if bytes.HasPrefix(l.text, []byte(`{"`)) {
			s.held = append([]heldLine{l}, s.held...)
			return fail()
		}
		if s.noise {
			taken = append(taken, heldLine{l.text, l.at, true})
		}
		if text = append(append(text, '\n'), l.text...); len(text) > s.lines.most {
			return value{}, false, tooLong(at, first, s.lines.most)
		}
		if depth, ok = nesting(l.text, depth); !ok {
			return fail()
		}
	}
	text = trimJSON(text)
	if end, ok := scan.Check(text, 0, 0); !ok || end != len(text) {
		if s.noise {
			return fail()
		}
		return value{}, false, &FormatError{Line: at, Text: excerpt(first), Err: errNotJSON}
	}
	return value{text, at, true}, true, nil
}

// nesting counts brackets outside of strings, beginning at depth. It is not ok
// if the line ends in the middle of a string.
func nesting(line []byte, depth int) (int, bool) {
	for i := 0; i < len(line); {
		switch line[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := scan.ValidString(line, i)
			if end < 0 {
				return depth, false
			}
			i = end
			continue
		}
		i++
	}
	return depth, true
}

// trimJSON takes white space off both ends, and the zeros that a crash leaves
// at the end of a file.
func trimJSON(b []byte) []byte {
	for len(b) > 0 && (b[0] <= ' ') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] <= ' ') {
		b = b[:len(b)-1]
	}
	return b
}

// members calls f for each member of the object that b, valid JSON, is. Keys
// are unquoted.
func members(b []byte, f func(key, val []byte)) { scanMembers(b, f) }

// scanMembers is members for what may not be valid JSON: it says whether b was
// one whole object and nothing else.
func scanMembers(b []byte, f func(key, val []byte)) bool {
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	i := scan.Space(b, 1)
	if i < len(b) && b[i] == '}' {
		return i+1 == len(b)
	}
	for i < len(b) && b[i] == '"' {
		end := scan.ValidString(b, i)
		if end < 0 {
			return false
		}
		key := scan.Text(b[i:end])
		if i = scan.Space(b, end); i >= len(b) || b[i] != ':' {
			return false
		}
		i = scan.Space(b, i+1)
		var ok bool
		if end, ok = scan.Check(b, i, 1); !ok {
			return false
		}
		f(key, b[i:end])
		if i = scan.Space(b, end); i >= len(b) {
			return false
		}
		if b[i] == '}' {
			return i+1 == len(b)
		}
		if b[i] != ',' {
			return false
		}
		i = scan.Space(b, i+1)
	}
	return false
}

// str returns what a JSON string stands for; ok is false if v is none.
func str(v []byte) (string, bool) {
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	return string(scan.Text(v)), true
}

// oneLine takes the line ends out of a frame that was pretty-printed: on the
// wire no frame has one. Strings and numbers stay as they are spelled.
func oneLine(frame []byte) []byte {
	if bytes.IndexByte(frame, '\n') < 0 {
		return frame
	}
	var out bytes.Buffer
	if json.Compact(&out, frame) != nil {
		return frame
	}
	return out.Bytes()
}

// eachMessage calls f for the message that a valid frame is, or for each
// message of a batch.
func eachMessage(frame []byte, f func(wire.Message)) {
	if frame[0] != '[' {
		f(messageOf(frame))
		return
	}
	for i := scan.Space(frame, 1); i < len(frame) && frame[i] != ']'; {
		end := scan.Valid(frame, i)
		if end < 0 {
			return
		}
		if frame[i] == '{' {
			f(messageOf(frame[i:end]))
		}
		if i = scan.Space(frame, end); i < len(frame) && frame[i] == ',' {
			i = scan.Space(frame, i+1)
		}
	}
}

// messageOf gives the parts of a message, without judging it.
func messageOf(text []byte) wire.Message {
	m := wire.Message{Raw: text}
	members(text, func(key, val []byte) {
		switch string(key) {
		case "id":
			m.ID = wire.ID(val)
		case "method":
			m.Method, _ = str(val)
		case "params":
			m.Params = val
		case "result":
			m.Result = val
		case "error":
			m.Error = val
		}
	})
	m.Result, m.Error = wire.Outcome(m.Result, m.Error)
	return m
}
