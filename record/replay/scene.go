package replay

import (
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// scene is a root (a recorded request or notification of the client) and what
// it caused, in recorded order.
type scene struct {
	root     *Frame // nil for what the agent said unasked at the beginning
	items    []item
	handsOut string // the session id in the root's answer
	prompt   bool
	query    bool   // asked as often as one likes; uses nothing up and owns only its answer
	session  string // the one that the root's params name
	from     string // their replayFrom

	// While the recording is read:
	open    bool // a prompt whose work goes on
	seen    bool // it was answered, or its message echoed
	working bool // running or requires_action came since
}

// item is one thing that a scene sends or waits for.
type item struct {
	kind  itemKind
	frame *Frame
	of    *scene // itemShared: the scene that sends it
}

type itemKind uint8

const (
	itemSend   itemKind = iota // a notification, or a line that is no message
	itemAsk                    // a request of the agent
	itemAnswer                 // the answer to the root
	itemWait                   // for the client's answer (frame) to a request of the agent
	itemCancel                 // for the client's session/cancel or session/close (frame)
	itemShared                 // an idle update that ended this turn too; sent where the turn it was sent in had ended before this one began
	itemEnd                    // the agent closes, or dies
)

// isQuery: these only look, so they "may be called multiple times" (auth-status
// RFD) and "often, for example as a routing probe" (session-status RFD).
func isQuery(method string) bool {
	return method == "session/status" || method == "auth/status" || method == "session/list"
}

// direct cuts the script into scenes.
func (s *Script) direct() {
	d := director{
		s: s, roots: map[*Frame]*scene{}, asks: map[*Frame]*scene{},
		ids: map[wire.ID][]*scene{}, lanes: map[string]*lane{},
	}
	s.prologue = &scene{}
	s.asked, s.lanes = map[wanted][]*scene{}, map[string][]*scene{}
	for _, f := range s.Frames {
		if f.From == wire.Client {
			d.client(f)
		} else {
			d.agent(f)
		}
	}
	if s.agentEnd != nil {
		d.end()
	}
}

// director finds the scene of each frame.
type director struct {
	s     *Script
	roots map[*Frame]*scene
	asks  map[*Frame]*scene // requests of the agent
	last  *scene            // the last root that is no query
	ids   map[wire.ID][]*scene
	lanes map[string]*lane
	open  []*scene // prompts; the last of them goes on, others may not
}

func (d *director) client(f *Frame) {
	switch {
	case f.Kind() == wire.KindResponse:
		if sc := d.asks[f.asked]; sc != nil {
			sc.items = append(sc.items, item{kind: itemWait, frame: f})
		}
		return
	case f.Method == "session/cancel" || f.Method == "session/close":
		for _, sc := range d.lane(f.Lane).turns() {
			if sc.root.Lane == f.Lane {
				sc.items = append(sc.items, item{kind: itemCancel, frame: f})
			}
		}
		if f.Kind() != wire.KindRequest {
			return
		}
	case f.Method == "$/cancel_request":
		for _, sc := range d.ids[wire.ID(scan.Member(f.Params, "requestId"))] {
			if sc.open || sc.root.answer == nil || sc.root.answer.Step > f.Step {
				sc.items = append(sc.items, item{kind: itemCancel, frame: f})
			}
		}
		return
	case f.Noise():
		return
	}
	sc := &scene{root: f, query: isQuery(f.Method), prompt: f.Method == "session/prompt"}
	sc.open = sc.prompt
	if f.answer != nil {
		sc.handsOut = textMember(f.answer.Result, "sessionId")
	}
	d.enter(sc)
}

func (d *director) agent(f *Frame) {
	if f.Kind() == wire.KindResponse {
		sc := d.roots[f.asked]
		if sc == nil {
			return
		}
		sc.items = append(sc.items, item{kind: itemAnswer, frame: f})
		sc.seen = true
		if d.s.Version != acp.V2 || f.Error != nil {
			sc.open = false
		}
		return
	}
	sc := d.owner(f)
	kind := itemSend
	if f.Kind() == wire.KindRequest {
		kind = itemAsk
		d.asks[f] = sc
	}
	sc.items = append(sc.items, item{kind: kind, frame: f})
	if d.s.Version == acp.V2 && f.Method == "session/update" {
		d.state(f, sc)
	}
}

// owner is the scene that a frame of the agent belongs to, other than an
// answer.
func (d *director) owner(f *Frame) *scene {
	if d.last == nil {
		return d.s.prologue
	}
	if f.Lane == "" {
		return d.last
	}
	l := d.lane(f.Lane)
	if sc := l.replaying(f.Step); sc != nil {
		return sc // "in the form of session/update notifications before responding"
	}
	var open *scene
	for _, sc := range l.turns() {
		if open == nil || echoes(f, sc) {
			open = sc
		}
	}
	switch {
	case open != nil:
		return open
	case l.last != nil:
		return l.last
	}
	// A session that the client never named: a subagent's, in most cases.
	for n := len(d.open); n > 0; n-- {
		if sc := d.open[n-1]; sc.open {
			return sc
		}
		d.open = d.open[:n-1]
	}
	return d.last
}

// isHistory says whether a request asks for the conversation so far.
func isHistory(f *Frame) bool {
	return f.Method == "session/load" || f.Method == "session/resume" && replayFrom(f.Params) != ""
}

// replayFrom is the member of that name, "" where it is omitted or null.
func replayFrom(params []byte) string {
	v := string(scan.Member(params, "replayFrom"))
	if v == "null" {
		return ""
	}
	return v
}

// echoes says whether an update reports the message that the root's answer
// gave its id to (v2-prompt-lifecycle: "All updates for that message MUST use
// the returned messageId").
func echoes(f *Frame, sc *scene) bool {
	if sc.root.answer == nil || !sc.prompt {
		return false
	}
	switch textMember(f.Params, "update", "sessionUpdate") {
	case "user_message", "user_message_chunk":
		id := textMember(f.Params, "update", "messageId")
		return id != "" && id == textMember(sc.root.answer.Result, "messageId")
	}
	return false
}

// state closes the turns of version 2 that an update ends.
func (d *director) state(f *Frame, owner *scene) {
	if echoes(f, owner) {
		owner.seen = true
	}
	update := scan.Member(f.Params, "update")
	if textMember(update, "sessionUpdate") != "state_update" {
		return
	}
	state, ok := acp.DecodeState(update)
	if !ok {
		return
	}
	f.ends = state.Name == acp.StateIdle && state.StopReason != ""
	for _, sc := range d.lane(f.Lane).turns() {
		if sc.root.Lane != f.Lane {
			continue
		}
		if state.Live() {
			sc.working = true
		}
		if state.Name != acp.StateIdle || !sc.seen || state.StopReason == "" && !sc.working {
			continue
		}
		sc.open = false
		if sc != owner {
			f.shared = true
			sc.items = append(sc.items, item{kind: itemShared, frame: f, of: owner})
		}
	}
}

// end puts the agent's end behind what it left undone, or at the end.
func (d *director) end() {
	last := d.last
	for _, sc := range d.s.scenes {
		if sc.root.Kind() == wire.KindRequest && sc.root.answer == nil && !sc.query {
			last = sc
		}
	}
	if last == nil {
		last = d.s.prologue
	}
	step := 1
	if n := len(d.s.Frames); n > 0 {
		step = d.s.Frames[n-1].Step + 1
	}
	last.items = append(last.items, item{kind: itemEnd, frame: &Frame{Step: step}})
}
