package record

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/google/shlex"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// devtoolsDecoder reads an export of acp-devtools: one JSON document with
// "version", "exportedAt", "tool", "session" and "messages", each of which has
// "timestamp" (ms), "direction" ("editor-to-agent", "agent-to-editor") and
// "raw", the line as it was. The messages are read one by one.
type devtoolsDecoder struct {
	r     *Reader
	in    *sparing
	dec   *json.Decoder
	begun bool // inside of "messages"
	clock clock
	n     int
}

// isDevtools says so by the names of the members that the beginning shows.
func isDevtools(begin []byte) bool {
	i := scan.Space(begin, 0)
	if i >= len(begin) || begin[i] != '{' {
		return false
	}
	session, exported := false, false
	i = scan.Space(begin, i+1)
	for i < len(begin) && begin[i] == '"' {
		end := scan.ValidString(begin, i)
		if end < 0 {
			break
		}
		switch string(begin[i+1 : end-1]) {
		case "exportedAt":
			exported = true
		case "session", "messages":
			session = true
		case "format", "jsonrpc":
			return false
		}
		i = scan.Space(begin, end)
		if i = scan.Space(begin, i+1); i >= len(begin) {
			break
		}
		if end = scan.Valid(begin, i); end < 0 {
			break
		}
		if i = scan.Space(begin, end); i < len(begin) && begin[i] == ',' {
			i = scan.Space(begin, i+1)
		}
	}
	return exported && session
}

func newDevtools(r *Reader) *devtoolsDecoder {
	in := &sparing{r: r.lines.rest(), most: r.lines.most}
	return &devtoolsDecoder{r: r, in: in, dec: json.NewDecoder(in)}
}

// sparing is a stream that gives so many bytes until it is asked anew, so that
// one value without an end does not take all memory.
type sparing struct {
	r         io.Reader
	most, got int
}

func (s *sparing) Read(p []byte) (int, error) {
	if s.got > s.most {
		return 0, &LongLineError{s.most}
	}
	n, err := s.r.Read(p)
	s.got += n
	return n, err
}

func (d *devtoolsDecoder) next() (Entry, error) {
	d.in.got = 0
	for !d.begun {
		if err := d.member(); err != nil {
			return Entry{}, d.wrap(err)
		}
	}
	if !d.dec.More() {
		if _, err := d.dec.Token(); err != nil && err != io.EOF {
			return Entry{}, d.wrap(err)
		}
		return Entry{}, io.EOF
	}
	var m struct {
		Timestamp float64         `json:"timestamp"`
		Direction string          `json:"direction"`
		Raw       *string         `json:"raw"`
		Payload   json.RawMessage `json:"payload"`
	}
	if err := d.dec.Decode(&m); err != nil {
		return Entry{}, d.wrap(err)
	}
	d.n++
	frame := []byte(m.Payload)
	if m.Raw != nil {
		frame = []byte(*m.Raw)
	}
	from := wire.Client
	switch m.Direction {
	case "agent-to-editor":
		from = wire.Agent
	case "editor-to-agent":
	default:
		return Entry{}, d.wrap(errorText("unknown direction " + m.Direction))
	}
	e := frameEntry(from, frame, d.n)
	e.T, e.HasT = d.clock.at(milliseconds(m.Timestamp))
	return e, nil
}

// member reads one member of the document, up to the beginning of "messages".
func (d *devtoolsDecoder) member() error {
	tok, err := d.dec.Token()
	if err != nil {
		return err
	}
	switch tok {
	case json.Delim('{'):
		return nil
	case json.Delim('}'):
		return io.EOF
	case "messages":
		if tok, err = d.dec.Token(); err == nil && tok != json.Delim('[') {
			err = errorText("messages is no list")
		}
		d.begun = true
		return err
	case "session":
		var s struct {
			AgentCommand *string `json:"agentCommand"`
			StartedAt    float64 `json:"startedAt"`
		}
		if err := d.dec.Decode(&s); err != nil {
			return err
		}
		h := &Header{Format: string(SourceDevtools), Started: milliseconds(s.StartedAt)}
		if s.AgentCommand != nil {
			argv, err := shlex.Split(*s.AgentCommand)
			if err != nil {
				argv = []string{*s.AgentCommand}
			}
			h.Agent = argv
		}
		d.clock.start = h.Started
		d.r.begin(h)
		return nil
	}
	var skip json.RawMessage
	return d.dec.Decode(&skip)
}

// wrap makes an error of what encoding/json says. A document cut off ends
// where it ends.
func (d *devtoolsDecoder) wrap(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		if err != io.EOF || !d.begun {
			d.r.torn++
		}
		return io.EOF
	}
	return &FormatError{Line: 1, Text: "acp-devtools export, message " + strconv.Itoa(d.n), Err: err}
}

func milliseconds(ms float64) time.Time {
	if ms <= 0 || ms > 1e15 {
		return time.Time{}
	}
	return time.UnixMicro(int64(ms * 1000)).UTC()
}
