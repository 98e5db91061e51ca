package acp

import "slices"

// Problem is one thing that is wrong in a payload: where, as a JSON pointer
// into the update (or request, or answer), and what.
type Problem struct {
	Path    string
	Message string
}

// String is path and message for people; the path of a whole payload is empty.
func (p Problem) String() string {
	if p.Path == "" {
		return "it " + p.Message
	}
	return p.Path + " " + p.Message
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

// applier changes a fold by the payload of one kind of update.
type applier func(*Fold, *payload, *Change)

// updateKind is one value of sessionUpdate.
type updateKind struct {
	name  string
	apply applier
}

// kindsV1 lists version 1's kinds: the stable ones, then the drafts.
func kindsV1() []updateKind {
	return []updateKind{
		{"user_message_chunk", messageChunk(ItemUserMessage)},
		{"agent_message_chunk", messageChunk(ItemAgentMessage)},
		{"agent_thought_chunk", messageChunk(ItemAgentThought)},
		{"tool_call", toolCallV1},
		{"tool_call_update", toolCallUpdate},
		{"plan", planV1},
		{"available_commands_update", availableCommands},
		{"current_mode_update", currentMode},
		{"config_option_update", configOptions},
		{"session_info_update", sessionInfo},
		{"usage_update", usageUpdate},
		{"plan_update", planUpdate},
		{"plan_removed", planRemoved},
		{"notice", notice},
		{"compaction_update", compactionUpdate},
		{"compaction_summary_chunk", compactionChunk},
		{"subagent_update", subagentUpdate},
		{"session_message", messageUpdate(ItemSessionMessage)},
		{"session_message_chunk", messageChunk(ItemSessionMessage)},
	}
}

// kindsV2 lists version 2's kinds: "the complete set of standard variants"
// (v2-prompt-lifecycle, Session Updates), in its order.
func kindsV2() []updateKind {
	return []updateKind{
		{"user_message_chunk", messageChunk(ItemUserMessage)},
		{"user_message", messageUpdate(ItemUserMessage)},
		{"agent_message_chunk", messageChunk(ItemAgentMessage)},
		{"agent_message", messageUpdate(ItemAgentMessage)},
		{"agent_thought_chunk", messageChunk(ItemAgentThought)},
		{"agent_thought", messageUpdate(ItemAgentThought)},
		{"subagent_update", subagentUpdate},
		{"session_message", messageUpdate(ItemSessionMessage)},
		{"session_message_chunk", messageChunk(ItemSessionMessage)},
		{"state_update", stateUpdate},
		{"tool_call_content_chunk", toolCallChunk},
		{"tool_call_update", toolCallUpdate},
		{"terminal_update", terminalUpdate},
		{"terminal_output_chunk", terminalChunk},
		{"plan_update", planUpdate},
		{"plan_removed", planRemoved},
		{"available_commands_update", availableCommands},
		{"config_option_update", configOptions},
		{"session_info_update", sessionInfo},
		{"usage_update", usageUpdate},
		{"notice", notice},
		{"compaction_update", compactionUpdate},
		{"compaction_summary_chunk", compactionChunk},
	}
}

func kindsOf(v Version) []updateKind {
	if v == V1 {
		return kindsV1()
	}
	return kindsV2()
}

// UpdateKinds lists every value of sessionUpdate that a version knows, stable
// and draft.
func UpdateKinds(v Version) []string {
	var names []string
	for _, k := range kindsOf(v) {
		names = append(names, k.name)
	}
	return names
}

// kindKnown says whether a version has a kind.
func kindKnown(v Version, name string) bool { return slices.Contains(UpdateKinds(v), name) }
