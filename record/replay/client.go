package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// ClientOptions say how a script is played as the client.
type ClientOptions struct {
	Timeout time.Duration               // longest wait for something that a frame depends on; 0 for 30 s
	Drain   time.Duration               // silence that ends the wait for late updates; 0 for 300 ms
	Cwd     string                      // stands in place of the recorded workspace; "" leaves it
	Ignore  *Ignore                     // what the comparison leaves out
	Getenv  func(string) (string, bool) // --fill-env; nil refuses what was redacted
}

// Result is how a live agent kept to the recording.
type Result struct {
	Compared    int          // recorded frames of the agent that were compared
	Differences []Difference // in recorded order
	Complete    bool         // all that the recorded client sent was sent and answered
	Live        []record.Entry
}

// client plays one script as the client.
type client struct {
	s     *Script
	o     ClientOptions
	t     wire.Transport
	start time.Time
	lines chan wire.Line
	ended error // what reading ended with, once lines is closed

	live    []*Frame       // what came, and what was sent
	entries []record.Entry // the same as entries
	sent    map[*Frame]bool
	answers map[*Frame]*Frame // recorded request of the client to the live response
	asked   map[*Frame]*Frame // recorded request of the agent to the live one
	held    []*Frame          // recorded answers whose cancel was not sent yet
	taken   map[*Frame]bool   // live requests that were answered as recorded ones
	failed  []*Frame          // recorded requests that were answered with an error unlike the recorded one
	open    map[wire.ID]*Frame
	ids     map[string]string // recorded ids of the agent's making to live ones
	made    map[string]int    // recorded ids of the agent's making, and the step that told them
	known   map[string]bool   // those whose live ones were told
	moves   []pathMove
	paired  int               // the last recorded step that something live was compared with
	counts  map[string]int    // live frames by signature
	runs    map[string]string // by signature: the message that the last live frame belongs to
	idles   map[string]int    // by session: live ends of turns
	lanes   map[string]string // live sessions to recorded ones
	plan    plan
	notes   []Difference
}

// PlayClient sends what the recorded client sent to a live agent, each frame
// when what it depended on has come, and compares what the agent says. It
// leaves the transport open.
//
// Errors: *LoadError for what cannot be sent, and those of ctx. An agent that
// goes away or keeps silent is a difference.
func PlayClient(ctx context.Context, s *Script, t wire.Transport, o ClientOptions) (*Result, error) {
	if err := s.Playable(); err != nil {
		return nil, err
	}
	if err := s.Sendable(o.Getenv); err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Drain == 0 {
		o.Drain = 300 * time.Millisecond
	}
	c := &client{
		s: s, o: o, t: t, start: time.Now(), lines: make(chan wire.Line),
		sent: map[*Frame]bool{}, answers: map[*Frame]*Frame{}, asked: map[*Frame]*Frame{},
		open: map[wire.ID]*Frame{}, ids: map[string]string{}, counts: map[string]int{},
		made: map[string]int{}, known: map[string]bool{}, taken: map[*Frame]bool{},
		runs: map[string]string{}, idles: map[string]int{}, lanes: map[string]string{},
		plan: newPlan(s.Frames),
	}
	for _, f := range s.Frames {
		if f.From == wire.Agent && !f.Noise() {
			ids := map[string]bool{}
			collect(value(f.Params), ids)
			collect(value(f.Result), ids)
			for id := range ids {
				if c.made[id] == 0 {
					c.made[id] = f.Step
				}
			}
		}
	}
	c.workspace()
	stop := make(chan struct{})
	defer close(stop)
	go c.read(stop) // ends with the transport, or when nobody takes its lines
	complete, err := c.play(ctx)
	if err != nil {
		return nil, err
	}
	r := &Result{Complete: complete, Live: c.entries}
	c.compare(r)
	return r, nil
}

func (c *client) read(stop <-chan struct{}) {
	defer close(c.lines)
	for {
		l, err := c.t.ReadLine()
		if err != nil {
			c.ended = err
			return
		}
		select {
		case c.lines <- l:
		case <-stop:
			return
		}
	}
}

// workspace finds the recorded working directories, to be put elsewhere.
func (c *client) workspace() {
	for _, f := range c.s.Frames {
		if old := cleanFolder(textMember(f.Params, "cwd")); c.o.Cwd != "" && old != "" && f.From == wire.Client {
			known := false
			for _, m := range c.moves {
				known = known || m.old == old
			}
			if !known {
				c.moves = append(c.moves, pathMove{old, cleanFolder(c.o.Cwd)})
			}
		}
	}
}

// play sends all that is to be sent. It reports false where it had to stop.
func (c *client) play(ctx context.Context) (bool, error) {
	for i, f := range c.s.Frames {
		if f.From != wire.Client || f.Kind() != wire.KindRequest && f.Kind() != wire.KindNotification {
			continue
		}
		if ok, err := c.until(ctx, f, func() string { return c.lacks(f, i) }); !ok || err != nil {
			return false, err
		}
		if why := c.broken(f); why != "" {
			c.stopped(f, why)
			return false, nil
		}
		if !c.send(f, f.ID) {
			c.stopped(f, "the agent went away")
			return false, nil
		}
	}
	ok, err := c.until(ctx, nil, func() string { return c.lacks(nil, len(c.s.Frames)) })
	if !ok || err != nil {
		return false, err
	}
	return true, c.drain(ctx)
}

// until waits until nothing is lacking that f depends on (nil: the end).
func (c *client) until(ctx context.Context, f *Frame, lacking func() string) (bool, error) {
	limit := time.NewTimer(c.o.Timeout)
	defer limit.Stop()
	for {
		why := lacking()
		if why == "" {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, context.Cause(ctx)
		case l, ok := <-c.lines:
			if !ok {
				end := "the agent closed the connection"
				if c.ended != nil && !errors.Is(c.ended, io.EOF) {
					end = c.ended.Error()
				}
				c.stopped(f, end+" while "+why+" was awaited")
				return false, nil
			}
			c.line(l)
		case <-limit.C:
			c.stopped(f, fmt.Sprintf("%s did not come within %s", why, c.o.Timeout))
			return false, nil
		}
	}
}

// drain takes late updates until the agent is silent.
func (c *client) drain(ctx context.Context) error {
	end := time.NewTimer(10 * c.o.Drain)
	defer end.Stop()
	for {
		silence := time.NewTimer(c.o.Drain)
		select {
		case <-ctx.Done():
			silence.Stop()
			return context.Cause(ctx)
		case l, ok := <-c.lines:
			silence.Stop()
			if !ok {
				return nil
			}
			c.line(l)
		case <-silence.C:
			return nil
		case <-end.C:
			silence.Stop()
			return nil
		}
	}
}

// stopped notes that the play ended before the recording did.
func (c *client) stopped(f *Frame, why string) {
	d := Difference{Kind: Stopped, Text: why}
	if f == nil {
		f = c.s.Frames[len(c.s.Frames)-1]
		d.What = "the end of the recording"
	} else {
		d.What = f.Method + " was not sent"
	}
	d.Step, d.Line, d.Session = f.Step, f.FileLine, f.Lane
	c.notes = append(c.notes, d)
}

// send writes a recorded frame with what is live in it.
func (c *client) send(f *Frame, id wire.ID) bool {
	raw := oneLine(f.Raw)
	if c.o.Getenv != nil {
		raw = filled(raw, c.o.Getenv)
	}
	raw = (&rewriter{exact: c.ids, paths: c.moves}).apply(raw)
	if id != "" {
		raw = withID(raw, id)
	}
	c.sent[f] = true
	if f.Kind() == wire.KindRequest {
		c.open[f.ID] = f
	}
	c.observe(wire.Client, wire.Line{Bytes: raw, EOL: "\n"}, f.Ignore)
	ok := c.t.WriteMessage(raw) == nil
	for i := 0; i < len(c.held); i++ {
		if g := c.held[i]; c.cancelBefore(g) == nil {
			c.held = append(c.held[:i], c.held[i+1:]...)
			i--
			c.send(g, c.asked[g.asked].ID)
		}
	}
	return ok
}

func (c *client) observe(from wire.Party, l wire.Line, ignore []string) {
	e := record.Entry{Entry: wire.Entry{T: time.Since(c.start), From: from, Data: l.Bytes, EOL: l.EOL}, Frame: record.IsFrame(l.Bytes), Ignore: ignore, HasT: true}
	c.entries = append(c.entries, e)
}

// line takes a line of the live agent.
func (c *client) line(l wire.Line) {
	c.observe(wire.Agent, l, nil)
	at := len(c.entries) - 1
	d := wire.Decode(l.Bytes)
	if len(d.Messages) == 0 {
		if len(d.Noise) > 0 {
			c.live = append(c.live, &Frame{Message: wire.Message{Raw: l.Bytes}, From: wire.Agent, Step: at})
		}
		return
	}
	for _, m := range d.Messages {
		f := &Frame{Message: m, From: wire.Agent, Step: at, EOL: l.EOL}
		switch m.Kind() {
		case wire.KindResponse:
			req := c.open[m.ID]
			if req == nil {
				c.notes = append(c.notes, Difference{Kind: Extra, What: "a response", Text: "the agent answered id " + string(m.ID) + ", which was not asked"})
				continue
			}
			delete(c.open, m.ID)
			f.Lane, f.asked = req.Lane, req
			c.answers[req] = f
			if req.answer != nil && req.answer.Error == nil && m.Error != nil && !isQuery(req.Method) {
				c.failed = append(c.failed, req)
			}
			if req.answer != nil {
				c.learn(value(req.answer.Result), value(m.Result))
			}
			c.live = append(c.live, f)
		case wire.KindNotification, wire.KindRequest:
			f.Lane = c.recordedLane(textMember(m.Params, "sessionId"))
			c.live = append(c.live, f)
			if milestone(f) {
				c.idles[f.Lane]++
			}
			c.pair(f)
			if m.Kind() == wire.KindRequest {
				c.ask(f)
			}
		}
	}
}

// recordedLane is the recorded session of a live one.
func (c *client) recordedLane(live string) string {
	if old, ok := c.lanes[live]; ok {
		return old
	}
	if live == "" || c.s.sessions[live] {
		return live
	}
	// Its id was not told yet: the session that is being made.
	for _, f := range c.open {
		if f.answer != nil && textMember(f.Params, "sessionId") == "" {
			if id := textMember(f.answer.Result, "sessionId"); id != "" {
				return id
			}
		}
	}
	return live
}

// signature is what frames of one kind have in common.
func signature(f *Frame) string {
	s := f.Lane + "\x00" + f.Method
	if f.Method == "session/update" {
		s += "\x00" + textMember(f.Params, "update", "sessionUpdate")
	}
	return s
}

// milestone says whether a frame ends a turn of version 2.
func milestone(f *Frame) bool {
	if f.From != wire.Agent || f.Method != "session/update" {
		return false
	}
	u := scan.Member(f.Params, "update")
	return textMember(u, "sessionUpdate") == "state_update" && textMember(u, "state") == "idle"
}
