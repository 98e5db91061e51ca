package replay

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Verdict is how a live client kept to the recording.
type Verdict struct {
	Played   []Played   `json:"played"`
	Missed   []Missed   `json:"missed"`
	Differed []Differed `json:"differed"`
	Unplayed []Step     `json:"unplayed"`
	Skipped  []Skipped  `json:"skipped,omitempty"`
}

// Step is a recorded request or notification of the client.
type Step struct {
	Step    int    `json:"step"`
	Method  string `json:"method"`
	Session string `json:"sessionId,omitempty"`
}

func (s Step) String() string { return fmt.Sprintf("%s (step %d)", s.Method, s.Step) }

// Played is a recorded request that was asked for.
type Played struct {
	Step
	Changed   []Change `json:"changed,omitempty"`   // how the live params differ; no fault unless matching is strict
	Cancelled bool     `json:"cancelled,omitempty"` // the live client cancelled it, the recorded one did not
}

// Missed is something that the live client did and the recording does not
// know, or that it left undone and the recording waited for.
type Missed struct {
	Method   string `json:"method,omitempty"`
	Session  string `json:"sessionId,omitempty"`
	After    int    `json:"after"`              // the recorded step up to which it was followed
	Expected []Step `json:"expected,omitempty"` // what the recording had next
	Reason   string `json:"reason"`
}

// Differed is an answer of the live client that differs from the recorded one.
type Differed struct {
	Step    int      `json:"step"` // of the recorded answer
	Method  string   `json:"method"`
	Session string   `json:"sessionId,omitempty"`
	Changes []Change `json:"changes"`
}

// Skipped is a recorded request of the agent that was not sent, since the live
// client does not offer what it asks.
type Skipped struct {
	Step   int    `json:"step"`
	Method string `json:"method"`
	Marker string `json:"capability"`
}

// Diverged says whether the client left the recording. complete makes what was
// never played count.
func (v Verdict) Diverged(complete bool) bool {
	return len(v.Missed)+len(v.Differed) > 0 || complete && len(v.Unplayed)+len(v.Skipped) > 0
}

// Plus is the verdict on two connections.
func (v Verdict) Plus(w Verdict) Verdict {
	return Verdict{
		Played: slices.Concat(v.Played, w.Played), Missed: slices.Concat(v.Missed, w.Missed),
		Differed: slices.Concat(v.Differed, w.Differed), Unplayed: slices.Concat(v.Unplayed, w.Unplayed),
		Skipped: slices.Concat(v.Skipped, w.Skipped),
	}
}

// MarshalJSON writes empty lists as [].
func (v Verdict) MarshalJSON() ([]byte, error) {
	type plain Verdict
	p := plain(v)
	if p.Played == nil {
		p.Played = []Played{}
	}
	if p.Missed == nil {
		p.Missed = []Missed{}
	}
	if p.Differed == nil {
		p.Differed = []Differed{}
	}
	if p.Unplayed == nil {
		p.Unplayed = []Step{}
	}
	return json.Marshal(p)
}

// String says in one line how the client left the recording.
func (m Missed) String() string {
	where := "at the beginning"
	if m.After > 0 {
		where = fmt.Sprintf("after step %d", m.After)
	}
	text := "left the recording " + where + ": " + m.Reason
	for i, s := range m.Expected {
		if i == 0 {
			text += "; expected " + s.String()
		} else {
			text += " or " + s.String()
		}
	}
	return text
}

func (d Differed) String() string {
	text := fmt.Sprintf("the answer to %s differs at step %d", d.Method, d.Step)
	for _, c := range d.Changes {
		text += "\n" + c.String()
	}
	return text
}

func (s Skipped) String() string {
	return fmt.Sprintf("%s at step %d was not sent: the client does not offer %s", s.Method, s.Step, s.Marker)
}
