package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// Frame is one line of a recorded connection, or one member of an array.
type Frame struct {
	wire.Message     // of a line that is no message only Raw is set
	Step         int // lines of both sides, from 1
	FileLine     int // where it stands in the file
	T            time.Duration
	From         wire.Party
	EOL          string
	Lane         string   // the session it belongs to, "" for the connection
	Redacted     []string // JSON pointers to what was taken out
	Ignore       []string // jq paths that a comparison leaves out

	answer *Frame // of a request: its response, nil if none was recorded
	asked  *Frame // of a response: its request
	shared bool   // an update that ended several turns
	ends   bool   // an idle update with a reason, in version 2
}

// Noise says that the line was no message.
func (f *Frame) Noise() bool { return f.Kind() == wire.KindInvalid }

// Place names the frame for people.
func (f *Frame) Place() string {
	if f.FileLine > 0 {
		return fmt.Sprintf("step %d (line %d)", f.Step, f.FileLine)
	}
	return fmt.Sprintf("step %d", f.Step)
}

// Script is one recorded connection.
type Script struct {
	Version acp.Version   // as the recorded agent answered initialize; 0 if it did not
	Agent   []string      // the recorded agent's command line, if the file says
	Frames  []*Frame      // in recorded order
	Notes   []string      // what was left out, and why
	Header  record.Header // of the connection; zero if there was none

	piece       []Frame    // where the next frame goes
	clientEnded bool       // the recorded client closed its side
	agentEnd    *wire.Exit // the recorded agent ended before the client did
	timed       bool       // the frames have times
	methods     map[string]bool
	sessions    map[string]bool // every session id that occurs
	agentIDs    map[wire.ID]bool
	scenes      []*scene
	asked       map[wanted][]*scene // all scenes
	requests    []*scene            // those that are no queries
	lanes       map[string][]*scene // the same by session
	prologue    *scene              // what the agent said before anything was asked
}

// wanted is what a live request or notification looks for.
type wanted struct {
	kind            wire.Kind
	method, session string
}

// Recording is a file: one script per connection.
type Recording struct {
	Connections []*Script
	Truncated   int // entries that were cut off
}

// LoadError says why a recording cannot be played.
type LoadError struct{ Reason, Hint string }

func (e *LoadError) Error() string { return e.Reason }

// Load reads a recording, or another tool's capture that holds both
// directions.
//
// Errors: *LoadError, and those of record.Reader.
func Load(r *record.Reader) (*Recording, error) {
	rec := &Recording{}
	var s *Script
	conn := -1
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if e.Conn != conn || s == nil {
			conn = e.Conn
			s = &Script{}
			if e.Header != nil {
				s.Header, s.Agent = *e.Header, e.Header.Agent
			}
			rec.Connections = append(rec.Connections, s)
		}
		s.add(e)
	}
	rec.Truncated = r.Truncated()
	lines := 0
	rec.Connections = slices.DeleteFunc(rec.Connections, func(s *Script) bool {
		lines += len(s.Frames)
		return !slices.ContainsFunc(s.Frames, func(f *Frame) bool { return !f.Noise() })
	})
	switch {
	case len(rec.Connections) > 0:
	case lines > 0:
		return nil, &LoadError{"the recording holds no JSON-RPC message, only other text", ""}
	default:
		return nil, &LoadError{"the recording is empty", ""}
	}
	for _, s := range rec.Connections {
		s.pair()
		s.direct()
	}
	return rec, nil
}

// Main is the connection that is played: the first in which initialize was
// answered without an error, since a client that is refused connects anew;
// else the first.
func (r *Recording) Main() *Script {
	for _, s := range r.Connections {
		if s.Version != 0 {
			return s
		}
	}
	return r.Connections[0]
}

// add takes the next entry of the connection.
func (s *Script) add(e record.Entry) {
	switch e.Kind {
	case wire.EntryEOF:
		if e.From == wire.Client {
			s.clientEnded = true
		} else if !s.clientEnded && s.agentEnd == nil {
			s.agentEnd = &wire.Exit{}
		}
	case wire.EntryExit:
		if !s.clientEnded {
			exit := e.Exit
			s.agentEnd = &exit
		}
	case wire.EntryLine:
		s.line(e)
	}
}

func (s *Script) line(e record.Entry) {
	f := Frame{T: e.T, From: e.From, EOL: e.EOL, FileLine: e.FileLine, Redacted: e.Redacted, Ignore: e.Ignore}
	if e.HasT {
		s.timed = true
	}
	f.Step = 1
	if n := len(s.Frames); n > 0 {
		f.Step = s.Frames[n-1].Step + 1
	}
	d := wire.Decode(e.Data)
	if len(d.Messages) == 0 || d.Dug {
		if noise := bytes.TrimSpace(d.Noise); len(noise) > 0 {
			n := f
			n.Raw = e.Data
			if d.Dug { // the whole line is played as it was
				n.Raw = d.Noise
			}
			s.keep(n)
		}
	}
	for _, m := range d.Messages {
		n := f
		n.Message = m
		if k := len(s.Frames); k > 0 && s.Frames[k-1].Method == m.Method {
			n.Method = s.Frames[k-1].Method // one string for a run of updates
		}
		s.keep(n)
	}
}

// keep adds a frame. Frames lie side by side in pieces, which takes less memory
// and time than each alone.
func (s *Script) keep(f Frame) {
	if len(s.piece) == cap(s.piece) {
		s.piece = make([]Frame, 0, min(max(len(s.Frames), 16), 512))
	}
	s.piece = append(s.piece, f)
	s.Frames = append(s.Frames, &s.piece[len(s.piece)-1])
}

// pair finds each request's response and each frame's lane.
func (s *Script) pair() {
	open := [2]map[wire.ID]*Frame{{}, {}}
	s.methods, s.sessions, s.agentIDs = map[string]bool{}, map[string]bool{}, map[wire.ID]bool{}
	s.Frames = slices.DeleteFunc(s.Frames, func(f *Frame) bool {
		switch f.Kind() {
		case wire.KindRequest:
			open[f.From][f.ID] = f
			if f.From == wire.Agent {
				s.agentIDs[f.ID] = true
			} else {
				s.methods[f.Method] = true
			}
		case wire.KindResponse:
			other := wire.Client
			if f.From == wire.Client {
				other = wire.Agent
			}
			req := open[other][f.ID]
			if req == nil {
				s.Notes = append(s.Notes, fmt.Sprintf("%s: the %s's response to id %s answers no recorded request; left out", f.Place(), f.From, f.ID))
				return true
			}
			delete(open[other], f.ID)
			req.answer, f.asked = f, req
		}
		return false
	})
	lane := "" // the last one; most frames are of one session
	for _, f := range s.Frames {
		if f.Kind() == wire.KindResponse {
			continue
		}
		switch id := scan.Text(scan.Member(f.Params, "sessionId")); {
		case len(id) == 0:
		case string(id) == lane:
			f.Lane = lane
		default:
			lane = string(id)
			f.Lane = lane
			s.sessions[lane] = true
		}
		if f.answer == nil {
			continue
		}
		if id := textMember(f.answer.Result, "sessionId"); id != "" && f.From == wire.Client {
			s.sessions[id] = true
			if f.Lane == "" {
				f.Lane = id
			}
		}
		f.answer.Lane = f.Lane
		if f.Method == "session/list" {
			for c := (scan.Cursor{B: scan.Member(f.answer.Result, "sessions")}); c.Enter('['); {
				for c.Next() {
					s.sessions[textMember(c.Skip(), "sessionId")] = true
				}
				break
			}
		}
		if f.Method == "initialize" && f.From == wire.Client && s.Version == 0 {
			s.Version = answeredVersion(f.answer.Result)
		}
	}
}

// answeredVersion reads the agent's answer to initialize. One that says 2 in
// the shape of version 1 speaks version 1.
func answeredVersion(result []byte) acp.Version {
	switch string(scan.Member(result, "protocolVersion")) {
	case "1":
		return acp.V1
	case "2":
		if scan.Member(result, "agentCapabilities") != nil && scan.Member(result, "capabilities") == nil {
			return acp.V1
		}
		return acp.V2
	}
	return 0
}

// textMember is a string member of an object, "" if there is none.
func textMember(obj []byte, keys ...string) string {
	return string(scan.Text(scan.Path(obj, keys...)))
}

// Playable says whether the script can be played as the agent: both directions
// must be there, and answers must have found their requests.
func (s *Script) Playable() error {
	var requests, client, agent, answers int
	for _, f := range s.Frames {
		switch {
		case f.Noise():
		case f.From == wire.Client:
			client++
			if f.Kind() == wire.KindRequest {
				requests++
				if f.answer != nil {
					answers++
				}
			}
		default:
			agent++
		}
	}
	const hint = "a recording is played by what the client asked and what the agent answered; acptool record keeps both"
	switch {
	case client == 0 && agent == 0:
		return &LoadError{"the recording holds no JSON-RPC message", hint}
	case client == 0:
		return &LoadError{"the recording holds nothing that the client sent", hint}
	case answers == 0 && len(s.Notes) > 0:
		return &LoadError{"no response in the recording answers a recorded request: their ids do not pair up", "a response needs the id of its request"}
	case agent == 0:
		return &LoadError{"the recording holds nothing that the agent sent", hint}
	case requests == 0:
		return &LoadError{"the recording holds no request of the client", hint}
	}
	return nil
}
