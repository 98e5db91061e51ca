package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// DifferenceKind says how a frame differs.
type DifferenceKind string

// The kinds of differences.
const (
	Changed DifferenceKind = "changed" // it came, with other contents
	Missing DifferenceKind = "missing" // it was recorded and did not come
	Extra   DifferenceKind = "extra"   // it came and was not recorded
	Moved   DifferenceKind = "moved"   // it came at another place among the frames of its session
	Stopped DifferenceKind = "stopped" // the play could not go on
)

// Difference is one frame of the agent that is not as recorded.
type Difference struct {
	Kind    DifferenceKind `json:"kind"`
	Step    int            `json:"step,omitempty"` // recorded step; of extra ones, the step after which it came
	Line    int            `json:"line,omitempty"` // in the file
	Session string         `json:"sessionId,omitempty"`
	What    string         `json:"what"`
	Text    string         `json:"text,omitempty"`
	Changes []Change       `json:"changes,omitempty"`
}

// String is the difference for people, one line and one more per change.
func (d Difference) String() string {
	var b strings.Builder
	switch {
	case d.Step == 0:
		b.WriteString("at the beginning: ")
	case d.Kind == Extra:
		fmt.Fprintf(&b, "after step %d: ", d.Step)
	default:
		fmt.Fprintf(&b, "step %d: ", d.Step)
	}
	b.WriteString(d.What)
	switch d.Kind {
	case Missing:
		b.WriteString(" did not come")
	case Extra:
		b.WriteString(" came and was not recorded")
	case Moved:
		b.WriteString(" came at another place")
	case Changed:
		b.WriteString(" differs")
	}
	if d.Text != "" {
		b.WriteString(": " + d.Text)
	}
	for _, c := range d.Changes {
		b.WriteString("\n    " + c.String())
	}
	return b.String()
}

// token is a frame, or a run of chunks, as it is compared.
type token struct {
	sig   string
	what  string
	step  int
	line  int
	live  int // index of the live entry
	value any
	text  *strings.Builder // of chunks that were joined, to be put into value
	frame *Frame
}

// compare fills in the differences, session by session.
func (c *client) compare(r *Result) {
	lanes := []string{}
	frames := map[string]*[2][]*Frame{} // recorded and live ones of a session
	for i, list := range [][]*Frame{c.s.Frames, c.live} {
		for _, f := range list {
			if f.From != wire.Agent {
				continue
			}
			both := frames[f.Lane]
			if both == nil {
				both = &[2][]*Frame{}
				frames[f.Lane], lanes = both, append(lanes, f.Lane)
			}
			both[i] = append(both[i], f)
		}
	}
	for _, lane := range lanes {
		for _, free := range []bool{false, true} {
			recorded, live := c.tokens(frames[lane][0], free, false), c.tokens(frames[lane][1], free, true)
			r.Compared += len(recorded)
			r.Differences = append(r.Differences, c.align(recorded, live, lane)...)
		}
	}
	if !r.Complete { // what follows the end of the play is missing, of course
		r.Differences = slices.DeleteFunc(r.Differences, func(d Difference) bool { return d.Kind == Missing && d.Step > c.paired })
	}
	r.Differences = append(r.Differences, c.notes...)
	slices.SortStableFunc(r.Differences, func(a, b Difference) int {
		if s := stops(a) - stops(b); s != 0 {
			return s
		}
		return a.Step - b.Step
	})
}

// stops puts what ended the play last.
func stops(d Difference) int {
	if d.Kind == Stopped {
		return 1
	}
	return 0
}

// free says whether a frame is an answer whose place among the updates is no
// behaviour. That of a version 1 prompt ends its turn, and those of requests
// for the history end it.
func (c *client) free(f *Frame) bool {
	if f.Kind() != wire.KindResponse {
		return false
	}
	return !isHistory(f.asked) && (f.asked.Method != "session/prompt" || c.s.Version == acp.V2)
}

// tokens are the agent's frames, of one session, as they are compared: ids and
// times masked, what is ignored left out, chunks of one message joined.
func (c *client) tokens(frames []*Frame, free, live bool) []token {
	var out []token
	back := make([]pathMove, len(c.moves))
	for i, m := range c.moves {
		back[i] = pathMove{m.new, m.old}
	}
	for _, f := range frames {
		if f.Noise() || c.free(f) != free {
			continue
		}
		raw := f.Raw
		if live {
			raw = (&rewriter{paths: back}).apply(raw)
		}
		t := token{what: f.Method, step: f.Step, line: f.FileLine, frame: f, value: c.o.Ignore.from(value(raw))}
		if live {
			t.step, t.line, t.live = 0, 0, f.Step
		}
		o, _ := t.value.(map[string]any)
		switch {
		case f.Kind() == wire.KindResponse:
			t.what = "the answer to " + f.asked.Method
			t.sig = fmt.Sprintf("answer %d", f.asked.Step)
			delete(o, "id")
		case f.Kind() == wire.KindRequest:
			t.sig = "ask " + f.Method
			delete(o, "id")
		default:
			t.sig = signature(f)
			if kind := textMember(f.Params, "update", "sessionUpdate"); kind != "" {
				t.what += " " + kind
			}
		}
		if n := len(out); n > 0 && out[n-1].sig == t.sig && joins(out[n-1].frame, f) && out[n-1].join(t.value) {
			continue
		}
		out = append(out, t)
	}
	for i := range out {
		if out[i].text != nil {
			plainText(out[i].value)["text"] = out[i].text.String()
		}
		out[i].value = mask(out[i].value)
	}
	return out
}

// joins says whether two chunks belong to one message.
func joins(a, b *Frame) bool {
	run := runOf(a)
	return run != "" && run == runOf(b)
}

// join appends the text of a chunk, if both hold nothing but text.
func (t *token) join(from any) bool {
	a, b := plainText(t.value), plainText(from)
	if a == nil || b == nil {
		return false
	}
	x, okX := a["text"].(string)
	y, okY := b["text"].(string)
	if !okX || !okY {
		return false
	}
	if t.text == nil {
		t.text = &strings.Builder{}
		t.text.WriteString(x)
	}
	t.text.WriteString(y)
	return true
}

// plainText is the content of a chunk that is text and nothing else.
func plainText(v any) map[string]any {
	for _, k := range []string{"params", "update"} {
		o, _ := v.(map[string]any)
		v = o[k]
	}
	u, _ := v.(map[string]any)
	if u["_meta"] != nil {
		return nil
	}
	content, _ := u["content"].(map[string]any)
	if len(content) != 2 || content["type"] != "text" {
		return nil
	}
	return content
}

// align finds which frames correspond: as many as possible of one kind, in
// order, equal ones preferred.
func (c *client) align(recorded, live []token, lane string) []Difference {
	pairs, missing, extra := match(recorded, live)
	var out []Difference
	for _, p := range pairs {
		a, b := recorded[p[0]], live[p[1]]
		c.paired = max(c.paired, a.step)
		c.entries[b.live].Ignore = a.frame.Ignore
		left, right := a.value, b.value
		if len(a.frame.Ignore) > 0 {
			only, err := NewIgnore(a.frame.Ignore)
			if err != nil {
				out = append(out, Difference{Kind: Changed, Step: a.step, Line: a.line, Session: lane, What: a.what, Text: err.Error()})
				continue
			}
			left, right = only.from(left), only.from(right)
		}
		if changes := diff(left, right); len(changes) > 0 {
			out = append(out, Difference{Kind: Changed, Step: a.step, Line: a.line, Session: lane, What: a.what, Changes: changes})
		}
	}
	for _, i := range missing {
		d := Difference{Kind: Missing, Step: recorded[i].step, Line: recorded[i].line, Session: lane, What: recorded[i].what}
		if j := slices.IndexFunc(extra, func(j int) bool {
			return live[j].sig == recorded[i].sig && len(diff(recorded[i].value, live[j].value)) == 0
		}); j >= 0 {
			d.Kind = Moved
			extra = slices.Delete(extra, j, j+1)
		}
		out = append(out, d)
	}
	before := 0 // pairs before the extra one
	for _, j := range extra {
		if live[j].frame.Kind() == wire.KindRequest && !c.taken[live[j].frame] {
			continue // noted already
		}
		after := Difference{Kind: Extra, Session: lane, What: live[j].what, Text: brief(encode(live[j].value))}
		for before < len(pairs) && pairs[before][1] < j {
			before++
		}
		if before > 0 {
			p := recorded[pairs[before-1][0]]
			after.Step, after.Line = p.step, p.line
		}
		out = append(out, after)
	}
	return out
}
