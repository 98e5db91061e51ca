package acp

import "github.com/acptool/acptool/wire"

// FoldSet folds every session of a connection, or of a recording of several,
// from the messages of both directions. It knows the methods that make, take
// up, prompt and cancel a session, and nothing that it is shown is dropped:
// updates may come before the answer that names their session.
//
// A FoldSet is for one goroutine at a time.
type FoldSet struct{ foldSetState }

// SetEvent is what one message meant for a session.
type SetEvent struct {
	Fold   *Fold  // the session, nil if the message concerns none
	Change Change // for session/update and session/request_permission
	Turn   *Turn  // for session/prompt and its answer
	Item   *Item  // for session/request_permission and its answer
}

// NewFoldSet is an empty set.
func NewFoldSet() *FoldSet { return newFoldSet() }

// Connection says that another connection begins: request ids start afresh and
// the version is to be negotiated again. Sessions stay.
func (s *FoldSet) Connection() { s.connection() }

// Message takes in one message (the members of an array one by one).
func (s *FoldSet) Message(from wire.Party, m wire.Message) SetEvent { return s.message(from, m) }

// Close says that no more will come: prompts that were never answered appear in
// their timelines, since their outcome is not known.
func (s *FoldSet) Close() { s.close() }

// Fold is the fold of a session, or nil.
func (s *FoldSet) Fold(sessionID string) *Fold { return s.bySession[sessionID] }

// Folds lists the sessions in the order in which they were first seen.
func (s *FoldSet) Folds() []*Fold { return s.order }
