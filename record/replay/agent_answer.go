package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// answer takes the live client's answer to a request of the agent and compares
// it with the recorded one.
func (a *Agent) answer(m wire.Message) {
	q := a.live.asked[m.ID]
	switch {
	case q != nil:
	case a.live.left[m.ID] > 0:
		a.live.left[m.ID]--
		return
	case a.s != nil && a.s.agentIDs[m.ID]:
		// Lines that were all written beforehand: the question comes later.
		a.live.early[m.ID] = append(a.live.early[m.ID], m)
		return
	default:
		a.missed(Missed{Reason: "the client answered id " + string(m.ID) + ", which was not asked"})
		return
	}
	delete(a.live.asked, m.ID)
	q.run.done[q.frame] = true
	if a.demo != nil {
		a.demo.branch(a, q.run, q.frame, m)
		return
	}
	recorded := q.frame.answer
	if recorded == nil {
		return
	}
	if changes := a.compare(recorded, m); len(changes) > 0 {
		a.differed(Differed{Step: recorded.Step, Method: q.frame.Method, Session: q.frame.Lane, Changes: changes})
	}
}

// compare lists how a live answer differs. The words of an error do not count,
// nor does the name that the client gave to a terminal.
func (a *Agent) compare(recorded *Frame, live wire.Message) []Change {
	if recorded.Error != nil || live.Error != nil {
		return diff(map[string]any{"error": code(recorded.Error)}, map[string]any{"error": code(live.Error)})
	}
	if old, now := textMember(recorded.Result, "terminalId"), textMember(live.Result, "terminalId"); old != "" && now != "" && recorded.asked.Method == "terminal/create" {
		if old != now {
			a.live.terminals[old] = now
			a.live.changes++
		}
		return nil
	}
	changes := diff(withoutMeta(value(recorded.Result)), withoutMeta(value(live.Result)))
	for i := range changes {
		changes[i].Path = "/result" + changes[i].Path
	}
	return changes
}

// code is an error reduced to its code; nil for none.
func code(raw []byte) any {
	if raw == nil {
		return nil
	}
	return map[string]any{"code": value(scan.Member(raw, "code"))}
}

// strays tells of answers that came early and whose question never came.
func (a *Agent) strays() {
	for _, id := range slices.Sorted(maps.Keys(a.live.early)) {
		if n := len(a.live.early[id]); n > 0 {
			a.missed(Missed{Reason: fmt.Sprintf("the client answered id %s, which was not asked", id)})
		}
	}
}

// notification takes a notification of the live client.
func (a *Agent) notification(m wire.Message) {
	session := textMember(m.Params, "sessionId")
	switch m.Method {
	case "session/cancel":
		if session != "" && a.s != nil && !a.knows(session) {
			a.missed(Missed{Method: m.Method, Session: session, Reason: "session/cancel names a session that the recording does not know"})
			return
		}
		a.cancel(session, m.Method)
		return
	case "$/cancel_request":
		a.cancelRequest(wire.ID(scan.Member(m.Params, "requestId")))
		return
	}
	if a.demo != nil || a.s == nil {
		return
	}
	best := a.mostAlike(a.unplayed(a.asked(m, session)), normal(m.Method, m.Params), func(sc *scene) bool { return !a.played[sc] })
	if best == nil {
		a.missed(Missed{Method: m.Method, Session: session, Expected: a.expected(session), Reason: "the notification " + m.Method + " was not recorded, or not once more"})
		return
	}
	a.note(a.begin(best, ""), m)
}

// cancel ends the turns of a session "as a good agent would", or as recorded
// where the recorded client cancelled too.
func (a *Agent) cancel(session, by string) {
	for _, r := range a.runs {
		if !r.prompt || r.lane() != session || r.turnOver(a.version()) {
			continue
		}
		if slices.ContainsFunc(r.items[r.next:], func(it item) bool { return it.kind == itemCancel && it.frame.Method == by }) {
			r.stopped = true
			continue
		}
		a.drop(r)
		if a.version() == acp.V1 && !r.answered {
			a.reply(r, `"result":{"stopReason":"cancelled"}`)
		}
		if a.version() == acp.V2 {
			a.idleCancelled(r)
		}
	}
}

// lane is the live session of the run.
func (r *run) lane() string {
	if r.session != "" || r.root == nil {
		return r.session
	}
	return r.root.Lane
}

// turnOver says whether the turn has ended: by its answer in version 1, by an
// idle with a reason in version 2.
func (r *run) turnOver(v acp.Version) bool {
	if v == acp.V2 {
		return r.idled
	}
	return r.answered
}

// drop leaves out the rest of a run; questions that are open lose their turn.
func (a *Agent) drop(r *run) {
	r.cancelled = true
	var kept []item
	if a.version() == acp.V2 && !r.answered {
		for _, it := range r.items[r.next:] {
			// "The Agent MUST also report the inserted message."
			if it.kind == itemAnswer || it.kind == itemSend && echoes(it.frame, r.scene) {
				kept = append(kept, it)
			}
		}
	}
	sc := *r.scene
	sc.items = kept
	r.scene, r.next, r.due, r.ready = &sc, 0, nil, true
	for id, q := range a.live.asked {
		if q.run == r {
			delete(a.live.asked, id)
			a.live.left[id]++
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.played >= 0 {
		a.verdict.Played[r.played].Cancelled = true
	}
}

// idleCancelled plays what is left and then reports the end (v2-prompt-
// lifecycle: the agent "MUST" send idle with cancelled when all is stopped).
func (a *Agent) idleCancelled(r *run) {
	w := a.rewriter(r)
	for r.next < len(r.items) {
		it := r.items[r.next]
		r.next++
		if it.kind == itemAnswer && r.answered {
			continue
		}
		a.perform(r, it)
	}
	session := r.lane()
	if r.session == "" {
		session = string(scan.Text(w.apply(encode(session))))
	}
	raw := fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%s,"update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}`, encode(session))
	r.idled = true
	a.write(r, []byte(raw), "\n")
}

// reply answers a run's request with something that was not recorded.
func (a *Agent) reply(r *run, member string) {
	r.answered = true
	a.write(r, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,%s}`, r.id, member), "\n")
}

// cancelRequest takes $/cancel_request for a request that still plays.
func (a *Agent) cancelRequest(id wire.ID) {
	for _, r := range a.runs {
		if r.id != id || r.answered {
			continue
		}
		if slices.ContainsFunc(r.items[r.next:], func(it item) bool { return it.kind == itemCancel }) {
			r.stopped = true
			continue
		}
		answered := r.answered
		r.answered = true // so that drop keeps nothing
		a.drop(r)
		if r.answered = answered; !answered {
			a.reply(r, fmt.Sprintf(`"error":{"code":%d,"message":"request cancelled"}`, wire.CodeRequestCancelled))
		}
	}
}

// advertises says whether the params of initialize hold the marker, a path with
// dots: true or an object.
func advertises(params []byte, marker string) bool {
	v := scan.Path(params, strings.Split(marker, ".")...)
	return string(v) == "true" || len(v) > 0 && v[0] == '{'
}
