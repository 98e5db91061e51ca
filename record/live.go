package record

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// The states of a session in a live recording.
const (
	StateRunning        = acp.StateRunning
	StateRequiresAction = acp.StateRequiresAction
	StateIdle           = acp.StateIdle
	StateExited         = "exited"
)

// Live is what a recording says about a session.
type Live struct {
	Path       string
	Header     *Header
	SessionID  string         // "" if the connection has no session yet
	State      string         // one of the State constants, or another that a v2 agent reported
	Since      time.Time      // when the state began; zero if the file does not say
	StopReason acp.StopReason // how the last turn ended, with StateIdle; "" if that is not known
	Writing    bool           // a living process holds the file open for writing
}

// UnknownSessionError says that a recording does not show a session.
type UnknownSessionError struct{ Path, SessionID string }

func (e *UnknownSessionError) Error() string {
	return fmt.Sprintf("%s does not show session %s", e.Path, e.SessionID)
}

// LiveState says in which state the session is that the recording at path
// shows; sessionID "" means the one that had traffic last. A recording that
// nobody writes any more is exited, whatever its last entry says. Whether
// somebody writes it is told by a lock that the writer holds, which goes when
// the process does; on file systems without locks, by the header's pid.
func LiveState(path, sessionID string) (Live, error) {
	f, err := os.Open(path)
	if err != nil {
		return Live{}, err
	}
	defer f.Close()
	// Asked first: entries that are written between the two questions are then
	// read, and a writer that goes away in between is seen the next time.
	locked, known := isLocked(f)
	r := NewReader(f)
	defer r.Close()
	t := NewTracker()
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Live{}, err
		}
		t.Feed(e)
	}
	t.begin(r.Header(), r.conn)
	writing := locked
	if h := r.Header(); !known && h != nil && h.PID > 0 {
		writing = alive(h.PID)
	}
	l, ok := t.Session(sessionID)
	if !ok {
		return Live{}, &UnknownSessionError{Path: path, SessionID: sessionID}
	}
	l.Path, l.Writing = path, writing
	if !writing && l.State != StateExited {
		l.State, l.Since, l.StopReason = StateExited, t.last, ""
	}
	return l, nil
}

// Tracker follows what the entries of a recording say about the state of its
// sessions, for agents that have no session/status: from the requests that are
// open (v1 and v2) and from state_update (v2).
type Tracker struct {
	header   *Header
	conn     int
	begun    bool
	last     time.Time
	exited   bool
	exitedAt time.Time
	sessions map[string]*tracked
	latest   *tracked
	asked    [2]map[string]open // requests without an answer: of the client, of the agent
}

// open is a request without an answer.
type open struct {
	method  string
	session *tracked
}

// tracked is one session.
type tracked struct {
	id       string
	prompts  int    // prompts without an answer
	accepted int    // v2: prompts that were accepted since the last idle
	ran      bool   // v2: the agent reported work since the last prompt
	over     bool   // v2: and that it ended
	actions  int    // requests without an answer that a person must answer
	reported string // state of the last state_update
	closed   bool
	stop     acp.StopReason
	state    string
	since    time.Time
}

// NewTracker returns a Tracker that has seen nothing.
func NewTracker() *Tracker {
	t := &Tracker{}
	t.reset()
	return t
}

func (t *Tracker) reset() {
	t.sessions = map[string]*tracked{}
	t.asked = [2]map[string]open{{}, {}}
	t.latest, t.exited = nil, false
}

// begin takes note of the connection; a new one knows no sessions.
func (t *Tracker) begin(h *Header, conn int) {
	if t.begun && conn == t.conn {
		return
	}
	t.reset()
	t.header, t.conn, t.begun = h, conn, true
	t.last = time.Time{}
	if h != nil {
		t.last = h.Started
	}
}

// Feed takes the next entry.
func (t *Tracker) Feed(e Entry) {
	t.begin(e.Header, e.Conn)
	if e.Header != nil && !e.Header.Started.IsZero() {
		t.last = e.Header.Started.Add(e.T)
	}
	switch {
	case e.Kind == wire.EntryExit, e.Kind == wire.EntryEOF && e.From == wire.Agent:
		if !t.exited {
			t.exited, t.exitedAt = true, t.last
		}
	case e.Kind == wire.EntryLine:
		if e.Frame {
			eachMessage(e.Data, func(m wire.Message) { t.message(e.From, m) })
		}
	}
}

func (t *Tracker) message(from wire.Party, m wire.Message) {
	switch m.Kind() {
	case wire.KindRequest, wire.KindNotification:
		t.call(from, m)
	case wire.KindResponse:
		t.answer(1-from, m)
	}
}

func (t *Tracker) call(from wire.Party, m wire.Message) {
	s := t.session(topMember(m.Params, "sessionId"))
	if m.Kind() == wire.KindRequest {
		t.asked[from][string(m.ID)] = open{method: m.Method, session: s}
	}
	if s == nil {
		return
	}
	switch {
	case m.Method == "session/prompt" && from == wire.Client:
		s.prompts++
		s.stop, s.ran, s.over = "", false, false
	case needsPerson(m.Method) && from == wire.Agent && m.Kind() == wire.KindRequest:
		s.actions++
	case m.Method == "session/update" && from == wire.Agent:
		s.update(m)
	}
	s.settle(t.last)
}

// needsPerson says which requests of the agent wait for a decision of the
// user's.
func needsPerson(method string) bool {
	return method == "session/request_permission" || method == "elicitation/create"
}

func (s *tracked) update(m wire.Message) {
	var raw []byte
	members(m.Params, func(key, val []byte) {
		if string(key) == "update" {
			raw = val
		}
	})
	if raw == nil || raw[0] != '{' || string(topMember(raw, "sessionUpdate")) != "state_update" {
		return
	}
	state, ok := acp.DecodeState(raw)
	if !ok || state.Name == acp.StateUnknown {
		return // unknown ends nothing: the last known state stands
	}
	s.reported = state.Name
	if state.Name != StateIdle {
		s.ran, s.over = true, false
		return
	}
	// An idle before a prompt was taken up is not that prompt's end.
	if s.prompts == 0 || s.ran || state.StopReason != "" {
		s.over, s.accepted, s.stop = true, 0, state.StopReason
	}
}

// answer takes a response to a request of asker's.
func (t *Tracker) answer(asker wire.Party, m wire.Message) {
	req, ok := t.asked[asker][string(m.ID)]
	if !ok {
		return
	}
	delete(t.asked[asker], string(m.ID))
	switch {
	case asker == wire.Agent:
		if req.session != nil && needsPerson(req.method) {
			req.session.actions = max(0, req.session.actions-1)
			if req.session.reported == StateRequiresAction && req.session.actions == 0 {
				req.session.reported = StateRunning // the agent says so itself in a moment
			}
		}
	case req.method == "session/new", req.method == "session/fork":
		if m.Error == nil {
			req.session = t.session(topMember(m.Result, "sessionId"))
		}
	case req.session == nil:
	case req.method == "session/prompt":
		// In v1 the answer ends the turn; in v2 it only accepts the prompt, and
		// state_update tells the rest.
		req.session.prompts = max(0, req.session.prompts-1)
		stop := acp.StopReason(topMember(m.Result, "stopReason"))
		switch {
		case m.Error != nil || stop != "":
			req.session.stop = stop
		case topMember(m.Result, "messageId") != nil && !req.session.over:
			req.session.accepted++
		}
	case req.method == "session/close", req.method == "session/delete":
		req.session.closed = m.Error == nil
	}
	if req.session != nil {
		req.session.settle(t.last)
	}
}

// session returns the session of that id, nil if there is no id.
func (t *Tracker) session(id []byte) *tracked {
	if len(id) == 0 {
		return nil
	}
	s := t.sessions[string(id)]
	if s == nil {
		s = &tracked{id: string(id), state: StateIdle, since: t.last}
		t.sessions[s.id] = s
	}
	t.latest = s
	return s
}

// settle works out the state, and when it began.
func (s *tracked) settle(now time.Time) {
	state := StateIdle
	switch {
	case s.closed:
		state = StateExited
	case s.actions > 0:
		state = StateRequiresAction
	case s.reported != "" && s.reported != StateIdle:
		state = s.reported
	case s.accepted > 0, s.prompts > 0 && !s.over:
		state = StateRunning
	}
	if state != s.state {
		s.state, s.since = state, now
	}
}

// Session returns the state of a session; "" is the one that had traffic last,
// or the connection itself if it has no session yet.
func (t *Tracker) Session(id string) (Live, bool) {
	s := t.latest
	if id != "" {
		s = t.sessions[id]
	}
	if s == nil {
		if id != "" {
			return Live{}, false
		}
		s = &tracked{state: StateIdle}
		if t.header != nil {
			s.since = t.header.Started
		}
	}
	l := Live{Header: t.header, SessionID: s.id, State: s.state, Since: s.since}
	if l.State == StateIdle {
		l.StopReason = s.stop
	}
	if t.exited && l.State != StateExited {
		l.State, l.Since, l.StopReason = StateExited, t.exitedAt, ""
	}
	return l, true
}

// Sessions returns the ids of the sessions of the connection, in order.
func (t *Tracker) Sessions() []string {
	ids := make([]string, 0, len(t.sessions))
	for id := range t.sessions {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
