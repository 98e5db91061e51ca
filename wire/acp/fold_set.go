package acp

import (
	"encoding/json"
	"slices"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// FoldSet folds every session of a connection, or of a recording of several,
// from the messages of both directions. It knows the methods that make, take
// up, prompt and cancel a session, and nothing that it is shown is dropped:
// updates may come before the answer that names their session.
//
// A FoldSet is for one goroutine at a time.
type FoldSet struct {
	version   Version // 0 = not negotiated (yet)
	bySession map[string]*Fold
	order     []*Fold
	unsure    []*Fold // begun in this connection before the version was known
	calls     map[callKey]awaited
}

// callKey: each direction has its own request ids.
type callKey struct {
	from wire.Party
	id   wire.ID
}

// awaited is a request whose answer will mean something.
type awaited struct {
	method string
	mode   string // session/set_mode
	fold   *Fold
	fresh  bool // fold begins with this request
	turn   *Turn
	item   *Item
}

// SetEvent is what one message meant for a session.
type SetEvent struct {
	Fold   *Fold  // the session, nil if the message concerns none
	Change Change // for session/update and session/request_permission
	Turn   *Turn  // for session/prompt and its answer
	Item   *Item  // for session/request_permission and its answer
	Update []byte // for session/update: params.update, a view
}

// NewFoldSet is an empty set.
func NewFoldSet() *FoldSet {
	return &FoldSet{bySession: map[string]*Fold{}, calls: map[callKey]awaited{}}
}

// Connection says that another connection begins: request ids start afresh and
// the version is to be negotiated again. Sessions stay.
func (s *FoldSet) Connection() {
	s.Close()
	clear(s.calls)
	s.version, s.unsure = 0, nil
}

// Close says that no more will come: prompts that were never answered appear in
// their timelines, since their outcome is not known.
func (s *FoldSet) Close() {
	for _, f := range s.order {
		f.lose()
	}
}

// Fold is the fold of a session, or nil.
func (s *FoldSet) Fold(sessionID string) *Fold { return s.bySession[sessionID] }

// Folds lists the sessions in the order in which they were first seen.
func (s *FoldSet) Folds() []*Fold { return s.order }

// Message takes in one message (the members of an array one by one).
func (s *FoldSet) Message(from wire.Party, m wire.Message) SetEvent {
	switch m.Kind() {
	case wire.KindRequest, wire.KindNotification:
		if from == wire.Agent {
			return s.fromAgent(m)
		}
		return s.fromClient(m)
	case wire.KindResponse:
		asker := wire.Client
		if from == wire.Client {
			asker = wire.Agent
		}
		key := callKey{asker, m.ID}
		c, ok := s.calls[key]
		if !ok {
			return SetEvent{}
		}
		delete(s.calls, key)
		return s.answered(c, m)
	}
	return SetEvent{}
}

func (s *FoldSet) fromAgent(m wire.Message) SetEvent {
	var found [2][]byte
	scan.Pick(m.Params, found[:], "sessionId", "update")
	id := scan.Text(found[0])
	switch m.Method {
	case "session/update":
		update := found[1]
		s.guess(update)
		f := s.fold(string(id))
		return SetEvent{Fold: f, Change: f.Update(update), Update: update}
	case "session/request_permission":
		f := s.fold(string(id))
		item, change := f.Permission(m.Params)
		s.expect(wire.Agent, m, awaited{fold: f, item: item})
		return SetEvent{Fold: f, Change: change, Item: item}
	}
	return SetEvent{Fold: s.bySession[string(id)]}
}

func (s *FoldSet) fromClient(m wire.Message) SetEvent {
	id := string(scan.Text(scan.Member(m.Params, "sessionId")))
	e := SetEvent{Fold: s.bySession[id]}
	switch m.Method {
	case "initialize", "session/new", "session/fork", "session/set_config_option":
		s.expect(wire.Client, m, awaited{fold: e.Fold})
	case "session/set_mode":
		s.expect(wire.Client, m, awaited{fold: e.Fold, mode: string(scan.Text(scan.Member(m.Params, "modeId")))})
	case "session/load", "session/resume":
		fresh := e.Fold == nil
		e.Fold = s.fold(id)
		if bringsHistory(m.Method, e.Fold) {
			e.Fold.BeginHistory()
		}
		s.expect(wire.Client, m, awaited{fold: e.Fold, fresh: fresh})
	case "session/prompt":
		e.Fold = s.fold(id)
		e.Turn = e.Fold.Prompt(scan.Member(m.Params, "prompt"))
		s.expect(wire.Client, m, awaited{fold: e.Fold, turn: e.Turn})
	case "session/cancel":
		if e.Fold != nil {
			e.Fold.CancelSent()
		}
	}
	return e
}

// expect remembers a request until its answer. A request that is sent again
// under an id that is still open takes its place.
func (s *FoldSet) expect(from wire.Party, m wire.Message, c awaited) {
	if m.Kind() != wire.KindRequest {
		return
	}
	c.method = m.Method
	s.calls[callKey{from, m.ID}] = c
}

func (s *FoldSet) answered(c awaited, m wire.Message) SetEvent {
	ok := m.Error == nil
	e := SetEvent{Fold: c.fold, Turn: c.turn, Item: c.item}
	switch c.method {
	case "initialize":
		if ok {
			s.negotiated(m.Result)
		}
	case "session/new", "session/fork":
		if id := scan.Text(scan.Member(m.Result, "sessionId")); ok && len(id) > 0 {
			e.Fold = s.fold(string(id))
			e.Fold.Setup(m.Result)
		}
	case "session/load", "session/resume":
		if bringsHistory(c.method, c.fold) {
			c.fold.EndHistory(ok)
		}
		c.fold.Setup(m.Result)
		if !ok && c.fresh && c.fold.untouched() {
			s.forget(c.fold)
		}
	case "session/set_mode":
		if ok && c.fold != nil && c.mode != "" {
			c.fold.SetMode(c.mode)
		}
	case "session/set_config_option":
		if ok && c.fold != nil {
			c.fold.Setup(m.Result)
		}
	case "session/prompt":
		if s.version == 0 && ok {
			s.guessByAnswer(m.Result)
		}
		if ok {
			c.turn.Result(m.Result)
		} else {
			c.turn.Failed(m.Error)
		}
	case "session/request_permission":
		c.fold.PermissionAnswered(c.item, m.Result)
	}
	return e
}

// negotiated reads the version from initialize's answer. An agent that says 2
// but answers in version 1's shape speaks version 1.
func (s *FoldSet) negotiated(result json.RawMessage) {
	switch string(scan.Member(result, "protocolVersion")) {
	case "1":
		s.setVersion(V1)
	case "2":
		if scan.Member(result, "capabilities") == nil && scan.Member(result, "agentCapabilities") != nil {
			s.setVersion(V1)
		} else {
			s.setVersion(V2)
		}
	}
}

func (s *FoldSet) setVersion(v Version) {
	s.version = v
	for _, f := range s.unsure {
		f.setVersion(v)
	}
	s.unsure = nil
}

// guess finds the version where the negotiation was not seen: by the first
// update of a kind that only one version has.
func (s *FoldSet) guess(update json.RawMessage) {
	if s.version != 0 {
		return
	}
	kind := string(scan.Text(scan.Member(update, "sessionUpdate")))
	switch one, two := kindKnown(V1, kind), kindKnown(V2, kind); {
	case one && !two:
		s.setVersion(V1)
	case two && !one:
		s.setVersion(V2)
	}
}

// guessByAnswer finds the version by what session/prompt was answered with.
func (s *FoldSet) guessByAnswer(result json.RawMessage) {
	if scan.Member(result, "stopReason") != nil {
		s.setVersion(V1)
	} else if scan.Member(result, "messageId") != nil {
		s.setVersion(V2)
	}
}

// bringsHistory says whether a request's answer ends a stretch of history or
// of snapshots: version 1's resume has neither.
func bringsHistory(method string, f *Fold) bool {
	return method == "session/load" || f.version != V1
}

// fold finds a session or begins it. Another connection may speak another
// version to the same session.
func (s *FoldSet) fold(id string) *Fold {
	f := s.bySession[id]
	switch {
	case f == nil:
		v := s.version
		if v == 0 {
			v = V1
		}
		f = NewFold(id, v)
		s.bySession[id] = f
		s.order = append(s.order, f)
		if s.version == 0 {
			s.unsure = append(s.unsure, f)
		}
	case s.version != 0 && s.version != f.version:
		f.setVersion(s.version)
	}
	return f
}

// forget takes back a session that the agent did not know.
func (s *FoldSet) forget(f *Fold) {
	delete(s.bySession, f.sessionID)
	s.order = slices.DeleteFunc(s.order, func(o *Fold) bool { return o == f })
}
