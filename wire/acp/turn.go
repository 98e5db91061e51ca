package acp

import (
	"encoding/json"

	"github.com/acptool/acptool/wire/scan"
)

// Turn tracks one prompt from the moment it is sent to the end of its work.
//
// Feed it in the order of the wire: Update for each update that the connection
// shows after the prompt was written (a turn of Fold.Prompt is fed by its
// fold), Result or Failed for the answer. The place of the answer among the
// updates counts, so tell it from an observer of the connection or on the
// reading goroutine, not from a goroutine that waited for it.
//
// A turn of version 1 ends with the answer. In version 2, with M the answer's
// messageId, it ends at the first idle after the answer or after M's first
// update, whichever came first, that follows running or requires_action or
// carries a reason; and it counts once the answer is in.
//
// A Turn is for one goroutine at a time.
type Turn struct {
	version   Version
	answered  bool
	done      bool
	messageID string
	stop      StopReason
	usage     json.RawMessage
	err       json.RawMessage
	warnings  []Problem

	seq     int            // updates so far
	begin   int            // the turn's idle comes behind this update, once answered
	seen    map[string]int // user messages seen before the answer: id to first update
	last    string         // latest foreground state that says something
	running bool           // running or requires_action came since the prompt was sent
	idles   []idle         // that could be the end, seen before the answer

	fold  *Fold // that feeds the turn, if any
	item  *Item // the prompt's entry in it
	outer *Turn // the turn that was open when this prompt was sent
	start int   // where the outer turn's text began
}

// idle is an idle update that follows work or carries a reason.
type idle struct {
	seq     int
	running bool // work was reported after the prompt was sent
	state   State
}

// NewTurn is a turn whose prompt is about to be sent.
func NewTurn(v Version) *Turn { return &Turn{version: v} }

// Prior tells the turn in what foreground state the session was when the
// prompt was sent, if that was known.
func (t *Turn) Prior(s State) {
	if s.Live() || s.Name == StateIdle {
		t.last = s.Name
	}
}

// Update tells the turn of an update that Fold.Update has read. A subagent's
// mirrored state is no state of this session and never counts.
func (t *Turn) Update(c Change) {
	if t.version == V1 || t.done {
		return
	}
	t.seq++
	if c.messageID != "" && !t.answered && isUserMessage(c.Kind) {
		if t.seen == nil {
			t.seen = map[string]int{}
		}
		if _, ok := t.seen[c.messageID]; !ok {
			t.seen[c.messageID] = t.seq
		}
	}
	if c.State != nil {
		t.state(*c.State)
	}
}

func isUserMessage(kind string) bool {
	return kind == "user_message" || kind == "user_message_chunk"
}

// state: unknown and later values neither end a turn nor say that work goes
// on, so that an idle still follows the state before them.
func (t *Turn) state(s State) {
	switch {
	case s.Live():
		t.last, t.running = s.Name, true
	case s.Name == StateIdle:
		follows := t.last == StateRunning || t.last == StateRequiresAction
		t.last = StateIdle
		if !follows && s.StopReason == "" {
			return
		}
		i := idle{t.seq, t.running, s}
		if t.answered {
			t.end(i)
		} else {
			t.idles = append(t.idles, i)
		}
	}
}

// Result tells the turn that session/prompt was answered with a result: the
// reason and usage (v1) or the message's id (v2).
func (t *Turn) Result(result json.RawMessage) {
	if t.answered {
		return
	}
	t.answered = true
	if t.version == V1 {
		t.resultV1(result)
	} else {
		t.resultV2(result)
	}
	if t.fold != nil {
		t.fold.promptAnswered(t)
	}
}

func (t *Turn) resultV1(result json.RawMessage) {
	t.done = true
	p, ok := readPayload(result, "", &t.warnings)
	if !ok {
		return
	}
	reason, _ := p.needText("stopReason")
	t.stop = StopReason(reason)
	p.patchObject(&t.usage, "usage")
}

// resultV2: "omission and explicit null are invalid" of messageId. Where it is
// missing all the same, the prompt counts as accepted; and since nothing can be
// matched then, the work that was seen since the prompt was sent is its own.
func (t *Turn) resultV2(result json.RawMessage) {
	t.begin = t.seq
	if p, ok := readPayload(result, "", &t.warnings); ok {
		t.messageID, _ = p.needID("messageId")
	}
	if first, ok := t.seen[t.messageID]; ok {
		t.begin = first
	}
	for _, i := range t.idles {
		if i.seq > t.begin || t.messageID == "" && i.running {
			t.end(i)
			break
		}
	}
	t.seen, t.idles = nil, nil
}

func (t *Turn) end(i idle) {
	t.done = true
	t.stop, t.usage, t.err = i.state.StopReason, i.state.Usage, i.state.Error
	if t.stop == "" {
		t.warnings = append(t.warnings, Problem{"/stopReason", "is missing: the agent did not say why work ended"})
	}
}

// Failed tells the turn that session/prompt was answered with an error.
func (t *Turn) Failed(rpcError json.RawMessage) {
	if t.answered {
		return
	}
	t.answered, t.done = true, true
	t.err = clone(rpcError)
	if t.fold != nil {
		t.fold.promptFailed(t)
	}
}

// Answered says whether session/prompt was answered.
func (t *Turn) Answered() bool { return t.answered }

// MessageID is the id that the agent gave to the prompt (v2), once answered.
func (t *Turn) MessageID() string { return t.messageID }

// Done says whether the turn has ended, and why. The reason is empty where the
// agent gave none (Warnings says so) or refused the prompt (Err is not nil).
func (t *Turn) Done() (StopReason, bool) { return t.stop, t.done }

// Usage is the tokens of the turn as the agent reported them, or nil.
func (t *Turn) Usage() json.RawMessage { return t.usage }

// Err is the error object that the prompt was answered with, or that came with
// the idle that ended the turn; nil if there is none.
func (t *Turn) Err() json.RawMessage { return t.err }

// ErrMessage is the message of Err, or "".
func (t *Turn) ErrMessage() string { return string(scan.Text(scan.Member(t.err, "message"))) }

// Warnings lists the agent's breaches that the turn got over.
func (t *Turn) Warnings() []Problem { return t.warnings }
