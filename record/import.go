package record

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// lookAhead is how far the beginning of a file is looked at to find out what
// it is, where its first line does not tell.
const lookAhead = 64 << 10

// detect finds out the format and sets the decoder.
func (r *Reader) detect() error {
	// A document of acp-devtools is one value, which must not be read whole.
	if isDevtools(r.lines.peekLine(4 << 10)) {
		r.source = SourceDevtools
		r.decode = newDevtools(r)
		return nil
	}
	first, err := r.firstValue()
	if err != nil {
		return err
	}
	values := &valueScanner{lines: r.lines, torn: &r.torn, held: []heldLine{{text: first.text, at: first.line}}}
	r.source = sourceOf(first.text)
	switch r.source {
	case SourceAcptool:
		r.decode = &ownDecoder{r: r, values: values}
	case SourceJSONRPC, SourceAcpx:
		values.noise = true
		r.decode = &lineDecoder{r: r, values: values, dir: newDirections()}
	case SourceAcpdbg, SourceInspector:
		r.decode = &stampedDecoder{r: r, values: values}
	case SourceConductor:
		r.decode = &conductorDecoder{r: r, values: values, requests: map[string]wire.Party{}}
	default:
		return &FormatError{Line: first.line, Text: excerpt(first.text)}
	}
	return nil
}

// firstValue returns the first value that is not a comment. Where the first
// lines are no JSON but JSON-RPC follows, as on the stdout of an agent that
// greets, it is the first line.
func (r *Reader) firstValue() (value, error) {
	begin := r.lines.peekLine(lookAhead)
	if k := bytes.IndexByte(begin, '\n'); k >= 0 && noJSON(begin[:k]) && r.framesAhead() {
		line, _, err := r.lines.next()
		return value{text: trimJSON(line), line: r.lines.line}, err
	}
	s := &valueScanner{lines: r.lines, torn: &r.torn}
	for {
		v, err := s.next()
		if err == io.EOF && r.torn > 0 && !mayBeOurs(begin) {
			return v, &FormatError{Line: 1, Text: excerpt(trimJSON(begin)), Err: errNotJSON}
		}
		if err != nil {
			return v, err
		}
		if !isComment(v.text) {
			return v, nil
		}
	}
}

// mayBeOurs says whether a file that holds no whole line is a recording that
// was cut off in its first one.
func mayBeOurs(begin []byte) bool {
	head := []byte(`{"format":"` + FormatName)
	n := min(len(begin), len(head))
	return bytes.Equal(begin[:n], head[:n]) || bytes.HasPrefix(begin, []byte(`{"t":`))
}

// noJSON says whether a line that is not blank is no JSON and no beginning of
// JSON.
func noJSON(line []byte) bool {
	line = trimJSON(line)
	if len(line) == 0 {
		return false
	}
	end, ok := scan.Check(line, 0, 0)
	return !ok && end < len(line) || ok && end != len(line)
}

// framesAhead says whether a line of JSON-RPC follows soon.
func (r *Reader) framesAhead() bool {
	for n := 0; n < lookAhead; {
		rest := r.lines.peekPast(n)
		if len(rest) == 0 {
			return false
		}
		if next := trimJSON(rest); len(next) > 0 && scan.IsValid(next) {
			return sourceOf(next) == SourceJSONRPC
		}
		n += len(rest)
	}
	return false
}

func isComment(text []byte) bool {
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	comment, other := false, false
	members(text, func(key, _ []byte) {
		if string(key) == "comment" {
			comment = true
		} else {
			other = true
		}
	})
	return comment && !other
}

// sourceOf tells the format by the members of its first value.
func sourceOf(text []byte) Source {
	if len(text) > 0 && text[0] == '[' {
		i := scan.Space(text, 1)
		if end, ok := scan.Check(text, i, 0); ok && sourceOf(text[i:end]) == SourceJSONRPC {
			return SourceJSONRPC
		}
		return ""
	}
	if len(text) > 0 && text[0] != '{' {
		if noJSON(text) {
			return SourceJSONRPC // firstValue lets such a line through only before frames
		}
		return ""
	}
	has := map[string][]byte{}
	members(text, func(key, val []byte) {
		switch string(key) {
		case "format", "from", "to", "msg", "text", "base64", "stderr", "stderr64", "event", "jsonrpc", "method", "id", "result", "error",
			"schema", "ts", "direction", "frame", "line", "json", "type", "t":
			has[string(key)] = val
		}
	})
	any := func(keys ...string) bool {
		for _, k := range keys {
			if has[k] != nil {
				return true
			}
		}
		return false
	}
	kind, _ := str(has["type"])
	schema, _ := str(has["schema"])
	switch {
	case any("jsonrpc"), any("method") && any("id") && !any("ts"), any("id") && any("result", "error") && !any("type"):
		return SourceJSONRPC
	case any("format"):
		return SourceAcptool
	case bytes.HasPrefix([]byte(schema), []byte("acpx.session.journal.")):
		return SourceAcpx
	case any("direction") && any("json"):
		return SourceInspector
	case any("direction") && any("frame", "event", "line"):
		return SourceAcpdbg
	case any("from") && any("to") && (kind == "request" || kind == "response" || kind == "notification"):
		return SourceConductor
	case any("from") && any("msg", "text", "base64", "stderr", "stderr64"), any("event") && any("t", "from"), any("stderr", "stderr64"):
		return SourceAcptool
	}
	return ""
}

// frameEntry is an entry for a frame that a foreign capture holds.
func frameEntry(from wire.Party, frame []byte, line int) Entry {
	frame = oneLine(frame)
	e := Entry{FileLine: line, Frame: IsFrame(frame)}
	e.Kind, e.From, e.Data, e.EOL = wire.EntryLine, from, frame, "\n"
	return e
}

// clock turns wall-clock times into times since the first of them.
type clock struct{ start time.Time }

// at returns the time since the start, and whether that is known.
func (c *clock) at(t time.Time) (time.Duration, bool) {
	if t.IsZero() {
		return 0, false
	}
	if c.start.IsZero() {
		c.start = t
	}
	return max(0, t.Sub(c.start)), true
}

// stamp reads a time as RFC 3339 or as milliseconds since 1970.
func stamp(v []byte) time.Time {
	if s, ok := str(v); ok {
		t, _ := time.Parse(time.RFC3339Nano, s)
		return t
	}
	ms, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return time.Time{}
	}
	return milliseconds(ms)
}
