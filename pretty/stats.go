package pretty

import (
	"io"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// StatsOptions are the choices of Stats.
type StatsOptions struct {
	Screen Screen
	JSON   bool
	Select Selection
	// Document, if set, is given the JSON instead of it being written (--jq).
	Document func([]byte) error
}

// Stats counts and times what passes: requests by method, updates by kind,
// turns. It is a Sink that writes at Close; its memory does not grow with the
// length of what it sees.
type Stats struct {
	w     io.Writer
	o     StatsOptions
	track tracker

	connections int
	begun       bool
	last        time.Duration // of this connection
	total       time.Duration // of those before it
	frames      [2]int
	bytes       [2]int64
	noise       int
	malformed   int
	stderr      int64

	methods [2]map[string]*methodStats // by who sends them
	updates map[string]*int
	turns   turnStats
	open    map[string]*turnClock // by session
}

type methodStats struct {
	count, errors, answered int
	latency                 spread
	request                 bool
}

type turnStats struct {
	count      int
	length     spread
	firstChunk spread
	chunks     int
	bytes      int64
	streaming  time.Duration // from the first chunk to the last of each turn
	reasons    map[string]int
	waits      spread // for the user's permission
}

// turnClock is a turn that goes on.
type turnClock struct {
	start, first, last time.Duration
	chunks             int
	bytes              int64
	started, accepted  bool // v2: running was seen, the prompt was answered
	ended              bool // v2: idle came before the answer
	end                time.Duration
	reason             string
}

// mostDistinct bounds the names that are counted apart; a peer that makes up
// methods without end is counted under "(others)".
const mostDistinct = 4096

// NewStats makes statistics that are written to w at Close.
func NewStats(w io.Writer, o StatsOptions) *Stats {
	s := &Stats{w: w, o: o, updates: map[string]*int{}, open: map[string]*turnClock{}}
	s.methods = [2]map[string]*methodStats{{}, {}}
	s.turns.reasons = map[string]int{}
	return s
}

// Begin starts a connection.
func (s *Stats) Begin(Connection) {
	s.connections++
	s.begun = true
	s.total += s.last
	s.last = 0
	s.track.reset()
	clear(s.open)
}

// Observe takes one entry.
func (s *Stats) Observe(e wire.Entry) { s.entry(&e, false) }

// Frame takes a line that is known to be valid JSON.
func (s *Stats) Frame(e wire.Entry) { s.entry(&e, true) }

func (s *Stats) entry(e *wire.Entry, valid bool) {
	if !s.begun {
		s.Begin(Connection{})
	}
	s.last = max(s.last, e.T)
	switch e.Kind {
	case wire.EntryStderr:
		s.stderr += int64(len(e.Data))
	case wire.EntryLine:
		split(e.Data, valid, func(m []byte) { s.message(e, m) }, func(_ []byte, malformed bool) {
			if malformed {
				s.malformed++
			} else {
				s.noise++
			}
		})
	}
}

func (s *Stats) message(e *wire.Entry, m []byte) {
	f, ok := s.track.look(e, m)
	if !ok || f.class == wire.KindInvalid {
		s.malformed++
		return
	}
	sel := &s.o.Select
	if !sel.picksFrom(f.from) || !sel.picksSession(f.sess) || !sel.picksNames(f.names()) {
		return
	}
	s.frames[f.from&1]++
	s.bytes[f.from&1] += int64(len(m))
	switch f.class {
	case wire.KindResponse:
		s.response(&f)
	default:
		ms := s.method(f.from, f.Method)
		ms.count++
		ms.request = ms.request || f.class == wire.KindRequest
		switch string(f.Method) {
		case "session/prompt":
			if len(s.open) < mostDistinct {
				s.open[string(f.sess)] = &turnClock{start: f.t}
			}
		case "session/update":
			s.update(&f)
		}
	}
}

func (s *Stats) method(from wire.Party, name []byte) *methodStats {
	all := s.methods[from&1]
	if m := all[string(name)]; m != nil {
		return m
	}
	key := distinct(len(all), name)
	if all[key] == nil {
		all[key] = &methodStats{}
	}
	return all[key]
}

func (s *Stats) kind(name []byte) *int {
	if n := s.updates[string(name)]; n != nil {
		return n
	}
	key := distinct(len(s.updates), name)
	if s.updates[key] == nil {
		s.updates[key] = new(int)
	}
	return s.updates[key]
}

// distinct is the name that a new name is counted under.
func distinct(known int, name []byte) string {
	if known >= mostDistinct {
		return "(others)"
	}
	return string(name)
}

func (s *Stats) response(f *frame) {
	if !f.answers {
		return
	}
	m := s.method(1-f.from&1, f.method)
	m.answered++
	m.latency.add(f.latency)
	if f.Error != nil {
		m.errors++
	}
	switch string(f.method) {
	case "session/request_permission":
		s.turns.waits.add(f.latency)
	case "session/prompt":
		s.prompted(f)
	}
}

// prompted: version 1 answers a prompt at its end, with the reason; version 2
// when it has taken it up.
func (s *Stats) prompted(f *frame) {
	c := s.open[string(f.sess)]
	if c == nil {
		return
	}
	reason := scan.Text(scan.Member(f.Result, "stopReason"))
	switch {
	case f.Error != nil:
		s.end(f.sess, c, f.t, "error")
	case reason != nil:
		s.end(f.sess, c, f.t, string(reason))
	case c.ended:
		s.end(f.sess, c, c.end, c.reason)
	default:
		c.accepted = true
	}
}

func (s *Stats) end(session []byte, c *turnClock, at time.Duration, reason string) {
	delete(s.open, string(session))
	t := &s.turns
	t.count++
	t.length.add(at - c.start)
	if reason == "" {
		reason = "(none)"
	}
	if _, known := t.reasons[reason]; known || len(t.reasons) < mostDistinct {
		t.reasons[reason]++
	}
	if c.chunks > 0 {
		t.firstChunk.add(c.first - c.start)
		t.chunks += c.chunks
		t.bytes += c.bytes
		t.streaming += c.last - c.first
	}
}

func (s *Stats) update(f *frame) {
	*s.kind(f.Kind)++
	c := s.open[string(f.sess)]
	if c == nil {
		return
	}
	switch string(f.Kind) {
	case "agent_message_chunk", "agent_thought_chunk", "agent_message", "agent_thought":
		if c.chunks == 0 {
			c.first = f.t
		}
		c.chunks++
		c.last = f.t
		c.bytes += textBytes(scan.Member(f.Update, "content"))
	case "state_update":
		s.state(f, c)
	}
}

// state ends a turn of version 2: the first idle that follows running or
// carries a reason, once the prompt was answered.
func (s *Stats) state(f *frame, c *turnClock) {
	reason := string(scan.Text(scan.Member(f.Update, "stopReason")))
	switch string(scan.Text(scan.Member(f.Update, "state"))) {
	case "running", "requires_action":
		c.started = true
	case "idle":
		switch {
		case !c.started && reason == "":
		case c.accepted:
			s.end(f.sess, c, f.t, reason)
		case !c.ended:
			c.ended, c.end, c.reason = true, f.t, reason
		}
	}
}

// textBytes is the length of the text in a content block or an array of them.
func textBytes(content []byte) int64 {
	if len(content) == 0 {
		return 0
	}
	if content[0] == '[' {
		var n int64
		each(content, func(b []byte) bool { n += textBytes(b); return true })
		return n
	}
	return int64(len(scan.Text(scan.Member(content, "text"))))
}

// Flush does nothing: everything is known at the end only.
func (s *Stats) Flush() error { return nil }

// Close writes the statistics.
func (s *Stats) Close() error {
	r := s.report()
	switch {
	case s.o.Document != nil:
		doc, err := r.marshal()
		if err != nil {
			return err
		}
		return s.o.Document(doc)
	case s.o.JSON:
		return WriteJSON(s.w, s.o.Screen, r)
	}
	_, err := s.w.Write(r.text(NewPalette(s.o.Screen.Colour), s.o.Screen.Terminal))
	return err
}
