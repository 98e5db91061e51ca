package acp

import (
	"slices"
)

// Problem is one thing that is wrong in a payload: where, as a JSON pointer
// into the update (or request), and what.
type Problem struct {
	Path    string
	Message string
}

// Change says what one update did to a fold, so that live text, --updates, the
// log and the transcript need not read the update again.
type Change struct {
	Kind     string    // the value of sessionUpdate; "" if there is none
	Unknown  bool      // the version has no such kind; kept raw as an item
	Problems []Problem // not empty: a known kind whose payload is malformed
	Applied  bool      // the update was understood well enough to change the fold

	Item     *Item // the timeline entry it touched; nil for session-wide kinds
	Created  bool  // Item was first seen by this update
	Replaced bool  // it replaced (or cleared) content instead of appending

	// Text is the text that was appended, or the whole new text if Replaced: of
	// a message, a thought, a summary, a tool call's content or a terminal
	// (where a character that is still incomplete waits for its rest).
	Text string
	// Break is set on the first text of an agent message that follows text of
	// another agent message in the same turn which did not end its line: print a
	// newline before Text, and the printed text is what Fold.Text returns.
	Break bool

	State    *State    // state_update
	Subagent *Subagent // subagent_update
	Notice   *Notice   // notice

	messageID string // of message kinds, for the turn tracker
}

// Malformed says whether something in the update was wrong.
func (c Change) Malformed() bool { return len(c.Problems) > 0 }

// UpdateKinds lists every value of sessionUpdate that a version knows, stable
// and draft, in the order of the documents.
func UpdateKinds(v Version) []string {
	if v == V1 {
		return slices.Clone(kindsV1[:])
	}
	return slices.Clone(kindsV2[:])
}
