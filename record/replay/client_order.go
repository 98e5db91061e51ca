package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/acptool/acptool/wire"
)

// lacks names what a frame waits for, "" if nothing: the answers, the questions
// and the ends of turns that stood before it in the recording. i is its index;
// f is nil at the end.
func (c *client) lacks(f *Frame, i int) string {
	c.plan.upTo(i)
	c.plan.awaited = slices.DeleteFunc(c.plan.awaited, c.came)
	for _, w := range c.plan.awaited {
		switch g := w.frame; {
		case g.Kind() == wire.KindResponse:
			return "the answer to " + g.asked.Method + " (recorded at " + g.Place() + ")"
		case g.Kind() == wire.KindRequest && f == nil:
			return g.Method + " (recorded at " + g.Place() + ")"
		case g.Kind() == wire.KindNotification && (f == nil || f.Lane == g.Lane):
			return "the idle state (recorded at " + g.Place() + ")"
		}
	}
	if f == nil {
		return ""
	}
	if id := c.unknownID(value(f.Params), f.Step); id != "" {
		return "the id that was " + id
	}
	if f.Kind() != wire.KindNotification {
		return ""
	}
	return c.lacksBefore(f, i)
}

// came says whether what is awaited is there.
func (c *client) came(w awaitedFrame) bool {
	switch w.frame.Kind() {
	case wire.KindResponse:
		return c.answers[w.frame.asked] != nil
	case wire.KindRequest:
		return c.asked[w.frame] != nil
	}
	return c.idles[w.frame.Lane] >= w.count
}

// unknownID is an id in what is to be sent that the recorded agent had made
// before, and that the live one has not given yet.
func (c *client) unknownID(v any, step int) string {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range keys(v) {
			if s, ok := v[k].(string); ok && c.made[s] > 0 && c.made[s] < step && !c.known[s] {
				return s
			}
			if id := c.unknownID(v[k], step); id != "" {
				return id
			}
		}
	case []any:
		for _, m := range v {
			if id := c.unknownID(m, step); id != "" {
				return id
			}
		}
	}
	return ""
}

// lacksBefore: a notification such as session/cancel goes out when as many
// frames of the kind that stood before it have come. Chunks of one message
// count once, since where they are cut is not behaviour.
func (c *client) lacksBefore(f *Frame, i int) string {
	for j := i - 1; j >= 0; j-- {
		g := c.s.Frames[j]
		if g.From == wire.Client {
			if g.Kind() == wire.KindResponse {
				continue
			}
			return ""
		}
		if g.Lane != f.Lane || g.Kind() == wire.KindResponse || g.Noise() {
			continue
		}
		if g.Kind() == wire.KindRequest {
			if c.asked[g] == nil {
				return g.Method + " (recorded at " + g.Place() + ")"
			}
			return ""
		}
		if c.counts[signature(g)] < c.plan.nth[j] {
			return g.Method + " " + textMember(g.Params, "update", "sessionUpdate") + " (recorded at " + g.Place() + ")"
		}
		return ""
	}
	return ""
}

// runOf names the message that a chunk belongs to, "" for what is no chunk.
func runOf(f *Frame) string {
	kind := textMember(f.Params, "update", "sessionUpdate")
	if !strings.HasSuffix(kind, "_chunk") {
		return ""
	}
	return kind + " " + textMember(f.Params, "update", "messageId")
}

// broken says why a frame makes no sense any more: an answer before it was an
// error where the recorded one was none.
func (c *client) broken(f *Frame) string {
	for _, req := range c.failed {
		if req.answer.Step < f.Step && (req.Method == "initialize" || req.Lane == f.Lane) {
			return req.Method + " was answered with an error"
		}
	}
	return ""
}

// pair finds the recorded frame that a live one corresponds to, as far as that
// can be said now, and learns the agent's ids from it.
func (c *client) pair(f *Frame) {
	if f.Kind() != wire.KindNotification {
		return
	}
	sig, run := signature(f), runOf(f)
	goesOn := run != "" && c.runs[sig] == run // the same message
	c.runs[sig] = run
	if goesOn {
		return
	}
	c.counts[sig]++
	if list := c.plan.bySignature[sig]; c.counts[sig] <= len(list) {
		c.learn(value(list[c.counts[sig]-1].Params), value(f.Params))
	}
}

// ask answers a request of the live agent as the recorded one that it is most
// like was answered.
func (c *client) ask(f *Frame) {
	var best *Frame
	most := -1.0
	key, live := signature(f), mask(value(f.Params))
	for _, g := range c.plan.asks[key] {
		if s := similarity(mask(value(g.Params)), live); s > most {
			best, most = g, s
		}
		if most >= 1 {
			break // nothing is more alike than what is equal
		}
	}
	if best == nil {
		c.notes = append(c.notes, Difference{Kind: Extra, What: f.Method, Session: f.Lane, Text: "the agent asked what was not recorded: " + brief(f.Params)})
		c.refuse(f)
		return
	}
	c.plan.asks[key] = slices.DeleteFunc(c.plan.asks[key], func(g *Frame) bool { return g == best })
	c.asked[best], c.taken[f] = f, true
	c.learn(value(best.Params), value(f.Params))
	if best.answer == nil {
		return // the recorded client never answered
	}
	if c.cancelBefore(best.answer) != nil {
		c.held = append(c.held, best.answer)
		return
	}
	c.send(best.answer, f.ID)
}

// cancelBefore is a session/cancel that the recorded client sent between the
// question and its answer, and that was not sent yet.
func (c *client) cancelBefore(answer *Frame) *Frame {
	for _, g := range c.s.Frames[c.plan.at[answer.asked]:] {
		if g == answer {
			return nil
		}
		if g.From == wire.Client && g.Method == "session/cancel" && g.Lane == answer.Lane && !c.sent[g] {
			return g
		}
	}
	return nil
}

// refuse answers what was not recorded: never allowed, never invented.
func (c *client) refuse(f *Frame) {
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"not recorded"}}`, f.ID, wire.CodeMethodNotFound)
	if f.Method == "session/request_permission" {
		text = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"cancelled"}}}`, f.ID)
	}
	c.observe(wire.Client, wire.Line{Bytes: []byte(text), EOL: "\n"}, nil)
	_ = c.t.WriteMessage([]byte(text))
}

// madeByAgent are the members that hold an id of the agent's making; they
// differ from run to run.
func madeByAgent(key string) bool {
	switch key {
	case "messageId", "toolCallId", "terminalId", "planId", "compactionId", "elicitationId", "requestId", "cursor", "nextCursor":
		return true
	}
	return strings.HasSuffix(strings.ToLower(key), "sessionid")
}

// learn notes which live ids stand where recorded ones stood.
func (c *client) learn(recorded, live any) {
	switch r := recorded.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok {
			return
		}
		for _, k := range keys(r) {
			old, isText := r[k].(string)
			now, isTextNow := l[k].(string)
			if madeByAgent(k) && isText && isTextNow && old != "" {
				c.known[old] = true
				if _, known := c.ids[old]; !known && old != now {
					c.ids[old] = now
					if _, known := c.lanes[now]; !known && c.s.sessions[old] {
						c.lanes[now] = old
					}
				}
				continue
			}
			c.learn(r[k], l[k])
		}
	case []any:
		l, _ := live.([]any)
		for i := range min(len(r), len(l)) {
			c.learn(r[i], l[i])
		}
	}
}
