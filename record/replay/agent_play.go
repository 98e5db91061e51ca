package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/acptool/acptool/wire"
)

// begin starts a scene under the id of the live request.
func (a *Agent) begin(sc *scene, id wire.ID) *run {
	r := &run{scene: sc, id: id, played: -1, began: a.seq, done: map[*Frame]bool{}}
	if sc.root != nil {
		r.at = sc.root.T
		a.mu.Lock()
		a.played[sc] = true
		a.mu.Unlock()
	}
	a.runs = append(a.runs, r)
	return r
}

// play sends the item that was recorded first among those that can be sent, and
// what follows it at once. It reports false where nothing can be sent now.
func (a *Agent) play() bool {
	a.runs = slices.DeleteFunc(a.runs, a.over)
	var next *run
	others := math.MaxInt // the step at which another run has its turn
	for _, r := range a.runs {
		if !a.sendable(r) || a.o.Speed > 0 && !a.ripe(r) {
			continue
		}
		switch {
		case next == nil:
			next = r
		case r.upcoming() < next.upcoming():
			next, others = r, min(others, next.upcoming())
		default:
			others = min(others, r.upcoming())
		}
	}
	if next == nil || a.end != nil || a.outErr != nil {
		return false
	}
	for {
		it := next.items[next.next]
		next.next++
		next.due, next.ready, next.at = nil, false, it.frame.T
		waiting := len(a.out)
		a.perform(next, it)
		if written := len(a.out) < waiting; written || !a.plain(it) || !next.goesOn(others) {
			return true
		}
	}
}

// upcoming is the step of the item to come.
func (r *run) upcoming() int { return r.items[r.next].frame.Step }

// plain says whether sending an item changes nothing that another run, or what
// follows the item, hangs on.
func (a *Agent) plain(it item) bool {
	return it.kind == itemSend && !it.frame.shared && a.o.Speed == 0 && a.demo == nil && a.outErr == nil
}

// goesOn says whether the next item is a plain one as well and stands before
// the step.
func (r *run) goesOn(before int) bool {
	return r.next < len(r.items) && r.items[r.next].kind == itemSend && r.upcoming() < before
}

// over says whether a run is done with; one whose answer the recording lacks
// gets an error then, and never an invented result.
func (a *Agent) over(r *run) bool {
	a.pass(r)
	if r.next < len(r.items) {
		return false
	}
	if r.id != "" && !r.answered && !a.s.clientEnded && a.s.agentEnd == nil {
		r.answered = true
		reason := "the recording ends before the answer to " + r.root.Method + " at " + r.root.Place()
		a.missed(Missed{Method: r.root.Method, Session: r.root.Lane, Reason: reason})
		a.sendError(r.id, wire.CodeInternalError, "replay: "+reason, nil)
	}
	return true
}

// pass steps over what has nothing left to wait for or to send.
func (a *Agent) pass(r *run) {
	for r.next < len(r.items) {
		it := r.items[r.next]
		switch it.kind {
		case itemWait:
			if !r.done[it.frame.asked] {
				return
			}
			r.at = it.frame.T
		case itemCancel:
			if !r.stopped {
				return
			}
			r.stopped = false
			r.at = it.frame.T
		case itemShared:
			if a.shares(it, r) {
				return
			}
		case itemAnswer:
			if !r.answered {
				return
			}
		case itemAsk:
			if r.done[it.frame] {
				break
			}
			marker, ok := a.offered(it.frame)
			if ok {
				return
			}
			r.done[it.frame] = true
			s := Skipped{it.frame.Step, it.frame.Method, marker}
			a.mu.Lock()
			a.verdict.Skipped = append(a.verdict.Skipped, s)
			a.mu.Unlock()
			a.o.Note(s.String())
		default:
			return
		}
		r.next++
	}
}

// shares says whether an update that ended several turns must be sent for this
// one too: its own scene sent it before r began, or is not played at all.
func (a *Agent) shares(it item, r *run) bool {
	if seq, sent := a.sent[it.frame]; sent {
		return seq <= r.began
	}
	return !slices.ContainsFunc(a.runs, func(o *run) bool { return o != r && o.root == it.of.root })
}

// sendable says whether the next item of a run waits for nobody.
func (a *Agent) sendable(r *run) bool {
	a.pass(r)
	if r.next >= len(r.items) {
		return false
	}
	switch it := r.items[r.next]; it.kind {
	case itemWait, itemCancel:
		return false
	case itemAsk:
		return a.live.asked[a.rewriter(r).id(it.frame.ID)] == nil // one question per id at a time
	}
	return true
}

// ripe says whether the time of a run's next item has come.
func (a *Agent) ripe(r *run) bool {
	if r.ready {
		return true
	}
	if r.due == nil {
		gap := r.items[r.next].frame.T - r.at
		if !a.s.timed || gap <= 0 {
			r.ready = true
			return true
		}
		r.due = a.o.After(time.Duration(float64(gap) / a.o.Speed))
	}
	return false
}

// paced are the runs whose next item waits for its time.
func (a *Agent) paced() []*run {
	var out []*run
	for _, r := range a.runs {
		if r.due != nil && !r.ready {
			out = append(out, r)
		}
	}
	return out
}

// perform sends an item.
func (a *Agent) perform(r *run, it item) {
	if it.kind == itemEnd {
		exit := *a.s.agentEnd
		a.end = &End{Exit: &exit}
		return
	}
	f := it.frame
	if f.Noise() {
		a.write(r, f.Raw, f.EOL)
		return
	}
	w := a.rewriter(r)
	raw := w.apply(oneLine(f.Raw))
	switch it.kind {
	case itemAsk:
		id := w.id(f.ID)
		a.live.asked[id] = &ask{r, f}
	case itemAnswer:
		r.answered = true
		raw = withID(raw, r.id)
	}
	if a.demo != nil {
		raw = a.demo.sending(r, it, raw)
	}
	a.seq++
	if f.shared {
		a.sent[f] = a.seq
	}
	if f.ends {
		r.idled = true
	}
	a.write(r, raw, f.EOL)
	if it.kind == itemAsk {
		id := w.id(f.ID)
		if early := a.live.early[id]; len(early) > 0 {
			a.live.early[id] = early[1:]
			a.answer(early[0])
		}
	}
}

// oneLine takes the line ends out of a message that was pretty-printed in a
// file written by hand.
func oneLine(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 {
		return raw
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return bytes.ReplaceAll(raw, []byte("\n"), []byte(" "))
	}
	return b.Bytes()
}

// rewriter puts in what is particular to the live connection.
func (a *Agent) rewriter(r *run) *rewriter {
	if r.rewriter == nil || r.changes != a.live.changes {
		exact := r.exact
		if len(a.live.terminals) > 0 {
			exact = maps.Clone(a.live.terminals)
			maps.Copy(exact, r.exact)
		}
		r.rewriter, r.changes = newRewriter(exact, a.moves(r)), a.live.changes
	}
	return r.rewriter
}

func (a *Agent) sendError(id wire.ID, code int, message string, data any) {
	e := &wire.RPCError{Code: code, Message: message}
	if data, ok := data.(map[string]any); ok && data != nil {
		e.Data = encode(data)
	}
	a.write(nil, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, encode(e)), "\n")
}
