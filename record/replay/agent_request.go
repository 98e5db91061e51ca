package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// line takes a line of the live client.
func (a *Agent) line(line []byte) {
	d := wire.Decode(line)
	if len(d.Messages) == 0 && len(d.Noise) > 0 {
		a.missed(Missed{Reason: "the client sent what is no JSON-RPC message: " + brief(line)})
		a.sendError("null", wire.CodeParseError, "this is no JSON-RPC message", nil)
		return
	}
	for _, m := range d.Messages {
		if a.end != nil {
			return
		}
		switch m.Kind() {
		case wire.KindRequest:
			a.request(m)
		case wire.KindNotification:
			a.notification(m)
		case wire.KindResponse:
			a.answer(m)
		}
	}
}

// refusal is an error that a request is answered with.
type refusal struct {
	code    int
	message string
	data    map[string]any
	miss    bool
	reason  string
}

// request finds the recorded request that a live one corresponds to.
func (a *Agent) request(m wire.Message) {
	if m.Method == "initialize" {
		a.live.initialize = m.Params
		if a.demo != nil {
			a.demo.choose(a, m.Params)
		}
		if a.o.Loop {
			a.afresh()
		}
	}
	session := textMember(m.Params, "sessionId")
	sc, no := a.find(m, session)
	if no != nil {
		if no.miss {
			a.missed(Missed{Method: m.Method, Session: session, Expected: a.expected(session), Reason: no.reason})
		}
		a.sendError(m.ID, no.code, no.message, no.data)
		return
	}
	if m.Method == "session/close" {
		a.cancel(session, m.Method)
	}
	if a.demo != nil && a.demo.request(a, sc, m) {
		return
	}
	a.workspace(sc, m.Params)
	r := a.begin(sc, m.ID)
	a.note(r, m)
}

// note puts what is played into the verdict.
func (a *Agent) note(r *run, m wire.Message) {
	changes := diff(normal(m.Method, r.root.Params), normal(m.Method, m.Params))
	a.mu.Lock()
	defer a.mu.Unlock()
	r.played = len(a.verdict.Played)
	a.verdict.Played = append(a.verdict.Played, Played{Step: r.step(), Changed: changes})
	a.after = max(a.after, r.root.Step)
}

// afresh makes all scenes unplayed if initialize was played already.
func (a *Agent) afresh() {
	for sc := range a.played {
		if sc.root.Method == "initialize" {
			a.mu.Lock()
			a.played, a.after = map[*scene]bool{}, 0
			a.mu.Unlock()
			a.sent = map[*Frame]int{}
			return
		}
	}
}

// find is the scene to play, or the error to answer.
func (a *Agent) find(m wire.Message, session string) (*scene, *refusal) {
	if session != "" && !a.knows(session) {
		return nil, &refusal{
			code: acp.CodeNotFound, message: "session not found", data: map[string]any{"sessionId": session},
			miss: a.demo == nil && !(isQuery(m.Method) && a.s.methods[m.Method]), reason: m.Method + " names the session " + strconv.Quote(session) + ", which the recording does not know",
		}
	}
	if !a.s.methods[m.Method] {
		return nil, a.refuse(wire.CodeMethodNotFound, m, session, m.Method+" was never recorded")
	}
	if no := a.version2Only(m); no != nil {
		return nil, no
	}
	var fit []*scene
	recorded := 0
	for _, sc := range a.s.scenes {
		if sc.root.Kind() != wire.KindRequest || sc.root.Method != m.Method {
			continue
		}
		if a.demo == nil && textMember(sc.root.Params, "sessionId") != session {
			continue
		}
		if !sameJSON(replayFrom(sc.root.Params), replayFrom(m.Params)) {
			continue
		}
		recorded++
		if !a.played[sc] || sc.query || a.demo != nil {
			fit = append(fit, sc)
		}
	}
	// A query is answered as recorded next; when all was given, the last again.
	if a.demo == nil {
		if fresh := slices.DeleteFunc(slices.Clone(fit), func(sc *scene) bool { return a.played[sc] }); len(fresh) > 0 {
			fit = fresh
		} else if len(fit) > 1 {
			fit = fit[len(fit)-1:]
		}
	}
	if len(fit) == 0 {
		switch {
		case recorded > 0:
			return nil, a.refuse(wire.CodeInternalError, m, session, fmt.Sprintf("%s was recorded %s, and all of it was played", m.Method, times(recorded)))
		case replayFrom(m.Params) != "":
			return nil, a.refuse(wire.CodeInternalError, m, session, m.Method+" was not recorded with this replayFrom for this session")
		}
		return nil, a.refuse(wire.CodeInternalError, m, session, m.Method+" was recorded, but not so for this session")
	}
	return a.closest(fit, m, session)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func sameJSON(a, b string) bool {
	return a == b || a != "" && b != "" && len(diff(value([]byte(a)), value([]byte(b)))) == 0
}

// closest is the scene whose params are most like the live ones; of equals the
// one recorded first.
func (a *Agent) closest(fit []*scene, m wire.Message, session string) (*scene, *refusal) {
	live := normal(m.Method, m.Params)
	best, most := fit[0], -1.0
	for _, sc := range fit {
		s := similarity(normal(m.Method, sc.root.Params), live)
		if s > most {
			best, most = sc, s
		}
	}
	if a.o.Strict {
		if changes := diff(normal(m.Method, best.root.Params), live); len(changes) > 0 {
			text := m.Method + " differs from what was recorded at " + best.root.Place()
			for _, c := range changes {
				text += "; " + c.String()
			}
			return nil, a.refuse(wire.CodeInternalError, m, session, text)
		}
	}
	return best, nil
}

// refuse is a miss: an error that names what was expected.
func (a *Agent) refuse(code int, m wire.Message, session, reason string) *refusal {
	data := map[string]any{"method": m.Method, "after": a.after}
	text := "replay: " + reason
	if a.demo != nil {
		return &refusal{code: code, message: "the demo does not know this: " + reason, data: map[string]any{"method": m.Method}}
	}
	if next := a.expected(session); len(next) > 0 {
		text += "; expected " + next[0].String()
		data["expected"] = next
	}
	return &refusal{code: code, message: text, data: data, miss: a.demo == nil, reason: reason}
}

// version2Only: a client that offers only version 1 cannot be played to from a
// recording of version 2.
func (a *Agent) version2Only(m wire.Message) *refusal {
	if m.Method != "initialize" || a.s.Version != acp.V2 {
		return nil
	}
	requested := scan.Member(m.Params, "protocolVersion")
	if n, err := strconv.Atoi(string(requested)); err != nil || n >= 2 {
		return nil
	}
	return &refusal{
		code: acp.CodeUnsupportedVersion, message: "the recording speaks version 2 of the protocol",
		data: map[string]any{"requested": json.RawMessage(requested), "supported": []int{2}},
		miss: true, reason: "the client offers version " + string(requested) + " of the protocol, and the recording speaks version 2",
	}
}

// knows says whether a session id was recorded or handed out.
func (a *Agent) knows(session string) bool {
	if a.demo != nil {
		return a.demo.knows(session)
	}
	return a.s.sessions[session]
}

// move is a folder that stands elsewhere in a live session.
type move struct {
	lane string // recorded session, or a demo's live one
	pathMove
}

// workspace learns where the live session works.
func (a *Agent) workspace(sc *scene, params []byte) {
	if !a.o.Verbatim {
		a.workspaceOf(sc.root.Lane, textMember(sc.root.Params, "cwd"), textMember(params, "cwd"))
	}
}

func (a *Agent) workspaceOf(lane, old, now string) {
	old, now = cleanFolder(old), cleanFolder(now)
	if old == "" || now == "" {
		return
	}
	a.live.changes++
	for i, m := range a.live.moves {
		if m.lane == lane && m.old == old {
			a.live.moves[i].new = now
			return
		}
	}
	a.live.moves = append(a.live.moves, move{lane, pathMove{old, now}})
}

// moves are the folders to move in what a run sends: its own session's before
// those of the others, and a folder before the one that it is in.
func (a *Agent) moves(r *run) []pathMove {
	if len(a.live.moves) == 0 {
		return nil
	}
	var out []pathMove
	for _, own := range []bool{true, false} {
		for _, m := range a.live.moves {
			known := slices.ContainsFunc(out, func(p pathMove) bool { return p.old == m.old })
			if (m.lane == r.lane()) == own && !known {
				out = append(out, m.pathMove)
			}
		}
	}
	out = slices.DeleteFunc(out, func(p pathMove) bool { return p.old == p.new })
	slices.SortStableFunc(out, func(x, y pathMove) int { return len(y.old) - len(x.old) })
	return out
}

// offered says whether the live client offers what the marker says, and the
// recorded one did.
func (a *Agent) offered(f *Frame) (marker string, ok bool) {
	m, known := acp.LookupMethod(wire.Agent, f.Method)
	if !known || m.Marker(a.version()) == "" {
		return "", true
	}
	marker = m.Marker(a.version())
	var recorded []byte
	for _, sc := range a.s.scenes {
		if sc.root.Method == "initialize" {
			recorded = sc.root.Params
			break
		}
	}
	return marker, advertises(a.live.initialize, marker) || !advertises(recorded, marker)
}
