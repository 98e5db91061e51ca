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
	changes := diff(a.params(r.scene), normal(m.Method, m.Params))
	delete(a.normal, r.scene) // most are played once
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
			a.played, a.before, a.after = map[*scene]bool{}, map[**scene]int{}, 0
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
	from := replayFrom(m.Params)
	asked := a.asked(m, session)
	fresh := asked
	if a.demo == nil {
		fresh = a.unplayed(asked)
	}
	live := normal(m.Method, m.Params)
	best := a.mostAlike(fresh, live, func(sc *scene) bool { return (a.demo != nil || !a.played[sc]) && sameJSON(sc.from, from) })
	if best == nil {
		asked = slices.DeleteFunc(slices.Clone(asked), func(sc *scene) bool { return !sameJSON(sc.from, from) })
		switch recorded := len(asked); {
		case recorded > 0 && isQuery(m.Method): // all was given: the last once more
			best = asked[recorded-1]
		case recorded > 0:
			return nil, a.refuse(wire.CodeInternalError, m, session, fmt.Sprintf("%s was recorded %s, and all of it was played", m.Method, times(recorded)))
		case from != "":
			return nil, a.refuse(wire.CodeInternalError, m, session, m.Method+" was not recorded with this replayFrom for this session")
		default:
			return nil, a.refuse(wire.CodeInternalError, m, session, m.Method+" was recorded, but not so for this session")
		}
	}
	return a.strictly(best, live, m, session)
}

// asked are the recorded requests of that method in the session; a demo's
// sessions are all alike.
func (a *Agent) asked(m wire.Message, session string) []*scene {
	if a.demo == nil {
		return a.s.asked[wanted{m.Kind(), m.Method, session}]
	}
	var out []*scene
	for _, sc := range a.s.scenes {
		if sc.root.Kind() == m.Kind() && sc.root.Method == m.Method {
			out = append(out, sc)
		}
	}
	return out
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

// strictly refuses a scene whose params are not the live ones, where that is
// asked for.
func (a *Agent) strictly(best *scene, live any, m wire.Message, session string) (*scene, *refusal) {
	if a.o.Strict {
		if changes := diff(a.params(best), live); len(changes) > 0 {
			text := m.Method + " differs from what was recorded at " + best.root.Place()
			for _, c := range changes {
				text += "; " + c.String()
			}
			return nil, a.refuse(wire.CodeInternalError, m, session, text)
		}
	}
	return best, nil
}

// mostAlike is the scene, of those that fit, whose params are most like the live
// ones; of equals the one recorded first. It is nil if none fits.
func (a *Agent) mostAlike(scenes []*scene, live any, fits func(*scene) bool) *scene {
	var best *scene
	most := -1.0
	for _, sc := range scenes {
		if !fits(sc) {
			continue
		}
		if s := similarity(a.params(sc), live); s > most {
			best, most = sc, s
		}
		if most >= 1 {
			break // nothing is more alike than what is equal
		}
	}
	return best
}

// params are the normal ones of a scene's root. They are kept where they are
// small, since each request of a long session may be compared with all others.
func (a *Agent) params(sc *scene) any {
	v, known := a.normal[sc]
	if !known {
		v = normal(sc.root.Method, sc.root.Params)
		if len(sc.root.Params) < 4<<10 {
			a.normal[sc] = v
		}
	}
	return v
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
	if !slices.ContainsFunc(a.live.moves, func(m move) bool { return m.old != m.new }) {
		return nil
	}
	var out []pathMove
	known := map[string]bool{}
	for _, own := range []bool{true, false} {
		for _, m := range a.live.moves {
			if (m.lane == r.lane()) == own && !known[m.old] {
				known[m.old] = true
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
