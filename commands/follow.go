package commands

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// follower folds what passes on a connection and hands each session update on
// in the order of the wire, with its place in the session's life. It watches
// both directions, so nothing is lost that comes before the answer which names
// its session.
type follower struct {
	mu      sync.Mutex
	set     *acp.FoldSet
	show    func(seen)        // nil: updates are folded only
	setups  map[string]string // our unanswered session/new, resume, load: id to the session it names, "" for new
	known   map[string]bool   // sessions whose id was answered or asked for
	started bool
}

// seen is one session/update.
type seen struct {
	Session string
	Update  json.RawMessage // params.update; valid only while it is shown
	Change  acp.Change
	Fold    *acp.Fold
	When    acp.When
	T       time.Duration
}

func newFollower(show func(seen)) *follower {
	return &follower{set: acp.NewFoldSet(), show: show, setups: map[string]string{}, known: map[string]bool{}}
}

// Observe takes one entry; it is wire.Observer's.
func (f *follower) Observe(e wire.Entry) {
	if e.Kind != wire.EntryLine {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range wire.Decode(e.Data).Messages {
		f.message(e, m)
	}
}

func (f *follower) message(e wire.Entry, m wire.Message) {
	if e.From == wire.Client {
		f.request(m)
		f.set.Message(e.From, m)
		return
	}
	if m.Method != "session/update" {
		f.set.Message(e.From, m)
		f.response(m)
		return
	}
	event := f.set.Message(e.From, m)
	if f.show == nil {
		return
	}
	s := seen{Session: event.Fold.SessionID(), Update: event.Update, Change: event.Change, Fold: event.Fold, T: e.T}
	s.When = f.when(s)
	f.show(s)
}

// request notes a request of ours that makes or takes up a session.
func (f *follower) request(m wire.Message) {
	switch m.Method {
	case "initialize":
		if f.started { // a second connection: its request ids are its own
			f.set.Connection()
			clear(f.setups)
		}
		f.started = true
	case "session/new":
		f.setups[string(m.ID)] = ""
	case "session/resume", "session/load":
		p, _ := acp.Peek(m.Raw)
		f.setups[string(m.ID)] = string(p.Session)
		f.known[string(p.Session)] = true
	}
}

func (f *follower) response(m wire.Message) {
	if m.Kind() != wire.KindResponse {
		return
	}
	if _, ok := f.setups[string(m.ID)]; ok {
		delete(f.setups, string(m.ID))
		if p, ok := acp.Peek(m.Raw); ok && p.Session != nil {
			f.known[string(p.Session)] = true
		}
	}
}

// when is the update's place in its session's life.
func (f *follower) when(s seen) acp.When {
	for _, id := range f.setups {
		if id != "" && id == s.Session {
			return acp.History
		}
	}
	if !f.known[s.Session] && len(f.setups) > 0 {
		return acp.Early
	}
	if s.Fold == nil || s.Fold.Turn() == nil {
		return acp.Between
	}
	if _, done := s.Fold.Turn().Done(); done {
		return acp.Late
	}
	return acp.InTurn
}

// with runs fn on the fold of a session while nothing else changes it. It does
// nothing where the session is unknown.
func (f *follower) with(session string, fn func(*acp.Fold)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fold := f.set.Fold(session); fold != nil {
		fn(fold)
	}
}

// document writes the folded session as JSON, with err in it if there is one;
// nothing where the session is unknown.
func (f *follower) document(p *printer, session string, err error) error {
	var doc json.RawMessage
	var werr error
	f.with(session, func(fold *acp.Fold) {
		if err != nil {
			if object, merr := json.Marshal(explain(err)); merr == nil {
				fold.Fail(object)
			}
		}
		if p.filter == nil {
			werr = pretty.WriteJSONFrom(p.e.out, p.Screen, fold.WriteJSON)
		} else {
			doc = fold.AppendJSON(nil)
		}
	})
	if doc != nil {
		return p.document(doc)
	}
	return werr
}
