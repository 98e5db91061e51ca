package record

import (
	"strings"

	"github.com/acptool/acptool/wire"
)

// stampedDecoder reads captures whose lines carry a time and a direction:
// acpdbg ({"ts","direction":"sent"|"received"|"stderr"|"meta","frame"|"line"|
// "event"}) and ACP-inspector ({"ts","direction":"fromClient"|"fromAgent"|…,
// "json":"the frame as a string"}).
type stampedDecoder struct {
	r      *Reader
	values *valueScanner
	clock  clock
}

func (d *stampedDecoder) next() (Entry, error) {
	for {
		v, err := d.values.next()
		if err != nil {
			return Entry{}, err
		}
		var ts, direction, frame, json, line, event, meta []byte
		members(v.text, func(key, val []byte) {
			switch string(key) {
			case "ts":
				ts = val
			case "direction":
				direction = val
			case "frame":
				frame = val
			case "json":
				json = val
			case "line":
				line = val
			case "event":
				event = val
			case "meta":
				meta = val
			}
		})
		dir, _ := str(direction)
		if dir == "meta" {
			if e, ok := d.mark(event, meta, ts, v.line); ok {
				return e, nil
			}
			continue
		}
		d.header(ts, nil)
		e, ok := stampedEntry(dir, frame, json, line, v.line)
		if !ok {
			return Entry{}, &FormatError{Line: v.line, Text: excerpt(v.text), Err: errorText("unknown direction")}
		}
		e.T, e.HasT = d.clock.at(stamp(ts))
		return e, nil
	}
}

// header begins the connection with the first time that is known.
func (d *stampedDecoder) header(ts []byte, agent []string) {
	if d.r.header == nil {
		d.r.begin(&Header{Format: string(d.r.source), Started: stamp(ts), Agent: agent})
	}
}

// mark reads a mark of acpdbg's own: the start names the agent, the close its
// exit status.
func (d *stampedDecoder) mark(event, meta, ts []byte, line int) (Entry, bool) {
	name, _ := str(event)
	var command, code []byte
	members(meta, func(key, val []byte) {
		switch string(key) {
		case "command":
			command = val
		case "exit_code":
			code = val
		}
	})
	switch {
	case name == "start":
		d.header(ts, stringList(command))
	case name == "close" && code != nil:
		e := Entry{FileLine: line}
		e.Kind, e.From = wire.EntryExit, wire.Agent
		e.Exit.Code = number(code, 0)
		e.T, e.HasT = d.clock.at(stamp(ts))
		return e, true
	}
	return Entry{}, false
}

func stampedEntry(dir string, frame, json, line []byte, at int) (Entry, bool) {
	if dir == "stderr" {
		e := Entry{FileLine: at}
		text, _ := str(line)
		e.Kind, e.From, e.Data = wire.EntryStderr, wire.Agent, []byte(text+"\n")
		return e, true
	}
	if json != nil {
		text, ok := str(json)
		if !ok {
			return Entry{}, false
		}
		frame = []byte(text)
	}
	if frame == nil {
		return Entry{}, false
	}
	switch strings.ToLower(strings.TrimSpace(dir)) {
	case "sent", "fromclient", "client", "c2a", "c->a":
		return frameEntry(wire.Client, frame, at), true
	case "received", "fromagent", "agent", "a2c", "a->c":
		return frameEntry(wire.Agent, frame, at), true
	}
	return Entry{}, false
}
