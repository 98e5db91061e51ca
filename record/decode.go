package record

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// ownDecoder reads our own format.
type ownDecoder struct {
	r      *Reader
	values *valueScanner
}

func (d *ownDecoder) next() (Entry, error) {
	for {
		p, line, err := d.line()
		if err != nil {
			return Entry{}, err
		}
		if p.format != nil {
			h, err := p.header(line)
			if err != nil {
				return Entry{}, err
			}
			d.r.begin(h)
			continue
		}
		if e, ok := p.entry(line); ok {
			return e, nil
		}
	}
}

// line reads the members of the next line. Nearly every line is one whole
// entry and is gone through once; what is not is looked at again as a value.
func (d *ownDecoder) line() (ownLine, int, error) {
	var p ownLine
	if len(d.values.held) == 0 {
		text, _, err := d.values.lines.next()
		if err != nil {
			return p, 0, err
		}
		if scanMembers(trimJSON(text), p.member) {
			return p, d.values.lines.line, nil
		}
		d.values.held = append(d.values.held, heldLine{text: text, at: d.values.lines.line})
		p = ownLine{}
	}
	v, err := d.values.next()
	if err != nil {
		return p, 0, err
	}
	if v.text[0] != '{' {
		return p, 0, &FormatError{Line: v.line, Text: excerpt(v.text)}
	}
	members(v.text, p.member)
	return p, v.line, nil
}

// ownLine gathers the members of one line, each as its raw text.
type ownLine struct {
	format, version, started, tool, agent, pid   []byte
	t, from, msg, text, base64, stderr, stderr64 []byte
	eol, event, code, signal, redacted, ignore   []byte
}

func (p *ownLine) member(key, val []byte) {
	switch string(key) {
	case "t":
		p.t = val
	case "from":
		p.from = val
	case "msg":
		p.msg = val
	case "text":
		p.text = val
	case "base64":
		p.base64 = val
	case "stderr":
		p.stderr = val
	case "stderr64":
		p.stderr64 = val
	case "eol":
		p.eol = val
	case "event":
		p.event = val
	case "code":
		p.code = val
	case "signal":
		p.signal = val
	case "redacted":
		p.redacted = val
	case "ignore":
		p.ignore = val
	case "format":
		p.format = val
	case "version":
		p.version = val
	case "started":
		p.started = val
	case "tool":
		p.tool = val
	case "agent":
		p.agent = val
	case "pid":
		p.pid = val
	}
}

func (p *ownLine) header(line int) (*Header, error) {
	h := &Header{}
	h.Format, _ = str(p.format)
	if h.Format != FormatName {
		return nil, &FormatError{Line: line, Text: string(p.format), Err: errorText("unknown format")}
	}
	h.Version = number(p.version, FormatVersion)
	h.Tool, _ = str(p.tool)
	if h.Version > FormatVersion {
		return nil, &VersionError{Version: h.Version, Tool: h.Tool}
	}
	if s, ok := str(p.started); ok {
		h.Started, _ = time.Parse(time.RFC3339Nano, s)
	}
	h.Agent = stringList(p.agent)
	h.PID = number(p.pid, 0)
	h.Redacted = stringList(p.redacted)
	return h, nil
}

// entry is not ok for events and members that it does not know.
func (p *ownLine) entry(line int) (Entry, bool) {
	e := Entry{FileLine: line, Redacted: stringList(p.redacted), Ignore: stringList(p.ignore)}
	e.T, e.HasT = seconds(p.t)
	from, _ := str(p.from)
	if from == "agent" {
		e.From = wire.Agent
	}
	if p.event != nil {
		switch name, _ := str(p.event); name {
		case "eof":
			e.Kind = wire.EntryEOF
			return e, from != ""
		case "exit":
			e.Kind = wire.EntryExit
			e.From = wire.Agent
			e.Exit.Code = number(p.code, 0)
			e.Exit.Signal, _ = str(p.signal)
			return e, true
		}
		return e, false
	}
	var ok bool
	if p.stderr != nil || p.stderr64 != nil {
		e.Kind, e.From = wire.EntryStderr, wire.Agent
		e.Data, ok = bytesOf(p.stderr, p.stderr64)
		return e, ok
	}
	if from != "agent" && from != "client" {
		return e, false
	}
	e.EOL = "\n"
	if s, ok := str(p.eol); ok {
		e.EOL = s
	}
	if p.msg != nil {
		e.Data = oneLine(p.msg)
		e.Frame = (p.msg[0] == '{' || p.msg[0] == '[') && utf8.Valid(e.Data)
		return e, true
	}
	e.Data, ok = bytesOf(p.text, p.base64)
	return e, ok
}

// bytesOf returns what a string stands for, or a string in base64.
func bytesOf(text, text64 []byte) ([]byte, bool) {
	if len(text) >= 2 && text[0] == '"' {
		return scan.Bytes(text), true
	}
	s, ok := str(text64)
	if !ok {
		return nil, false
	}
	b, err := base64.StdEncoding.DecodeString(s)
	return b, err == nil
}

// number returns an integer, or otherwise def.
func number(v []byte, def int) int {
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return def
	}
	return n
}

// seconds returns a time in seconds. What is no number, or none that a
// duration can hold, is as if it were missing.
func seconds(v []byte) (time.Duration, bool) {
	if us, ok := micros(v); ok {
		return us, true
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || math.IsNaN(f) || f < 0 || f > 9e9 {
		return 0, false
	}
	return time.Duration(math.Round(f * 1e9)), true
}

// micros reads a number with exactly six places, as we write it, without
// rounding.
func micros(v []byte) (time.Duration, bool) {
	dot := len(v) - 7
	if dot < 1 || dot > 11 || v[dot] != '.' {
		return 0, false
	}
	n := int64(0)
	for i, c := range v {
		switch {
		case i == dot:
		case isDigit(c):
			n = n*10 + int64(c-'0')
		default:
			return 0, false
		}
	}
	return time.Duration(n) * time.Microsecond, true
}

// stringList returns the strings of a list, or one string as a list.
func stringList(v []byte) []string {
	if v == nil {
		return nil
	}
	if s, ok := str(v); ok {
		return []string{s}
	}
	var raw []json.RawMessage
	if json.Unmarshal(v, &raw) != nil {
		return nil
	}
	var list []string
	for _, x := range raw {
		if s, ok := str(x); ok {
			list = append(list, s)
		}
	}
	return list
}
