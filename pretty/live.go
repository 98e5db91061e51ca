package pretty

import (
	"io"
	"sync"
	"time"

	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// Live is a status line on stderr for whoever watches a turn on a terminal:
// what the agent is doing, for how long, what has been used. Where the stream
// is no terminal it writes nothing at all. It is safe from several goroutines;
// the caller draws it from time to time and clears it before anything else is
// written to the terminal.
type Live struct {
	mu     sync.Mutex
	w      io.Writer
	screen Screen
	pal    *Palette
	now    func() time.Time

	start   time.Time
	running bool
	paused  bool
	midLine bool   // the cursor stands behind text that has no newline yet
	shown   []byte // the line that stands on the terminal, nil if none
	doing   string
	tools   []*acp.ToolCall // unfinished, in the order of their beginning
	waiting string          // what the user is asked
	used    string
}

// NewLive draws on w, which is the stream that s describes.
func NewLive(w io.Writer, s Screen, now func() time.Time) *Live {
	return &Live{w: w, screen: s, pal: NewPalette(s.Colour), now: now}
}

// Begin says that a turn begins.
func (l *Live) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start, l.running, l.midLine = l.now(), true, false
	l.doing, l.tools, l.waiting = "", nil, ""
}

// Update notes what an update of the session says.
func (l *Live) Update(f *acp.Fold, c acp.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.Item != nil {
		switch c.Item.Type {
		case acp.ItemToolCall:
			l.tool(c.Item.Tool)
		case acp.ItemAgentThought:
			l.doing = "thinking"
		case acp.ItemAgentMessage:
			l.doing = "writing"
		case acp.ItemCompaction:
			l.doing = "compacting"
		}
	}
	if c.Kind == "usage_update" && f != nil && f.Usage() != nil {
		l.used = plain(scan.Member(f.Usage(), "used")) + " of " + plain(scan.Member(f.Usage(), "size")) + " tokens"
	}
}

func (l *Live) tool(t *acp.ToolCall) {
	for i, known := range l.tools {
		if known == t {
			if t.Finished() {
				l.tools = append(l.tools[:i], l.tools[i+1:]...)
			}
			return
		}
	}
	if !t.Finished() {
		l.tools = append(l.tools, t)
	}
}

// Waiting says what the user is asked, "" when that is answered.
func (l *Live) Waiting(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = what
}

// Wrote says that text was written to the terminal, and whether it ended a
// line. While it did not, nothing is drawn: the text itself shows that the
// agent is at work.
func (l *Live) Wrote(endsLine bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.midLine = !endsLine
}

// Pause keeps the line from being drawn while the terminal is somebody else's.
func (l *Live) Pause(paused bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paused = paused
}

// Draw shows the line, or shows it anew if it has changed.
func (l *Live) Draw() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.screen.Terminal || !l.running || l.midLine || l.paused {
		return nil
	}
	line := l.line()
	if string(line) == string(l.shown) {
		return nil
	}
	l.shown = line
	_, err := l.w.Write(append(append([]byte("\r"), line...), "\x1b[K"...))
	return err
}

// Clear takes the line off the terminal, so that something else can be written.
func (l *Live) Clear() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.clear()
}

func (l *Live) clear() error {
	if l.shown == nil {
		return nil
	}
	l.shown = nil
	_, err := io.WriteString(l.w, "\r\x1b[K")
	return err
}

// End takes the line off for good.
func (l *Live) End() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = false
	return l.clear()
}

func (l *Live) line() []byte {
	width := l.screen.Width - 1 // a full line would wrap
	if width <= 0 {
		width = 79
	}
	var c clip
	c.start(nil, width)
	c.on(l.pal.Dim)
	if d := l.now().Sub(l.start); d < time.Minute {
		c.say(string(appendInt(nil, int(d/time.Second))) + " s")
	} else {
		c.say(string(appendDuration(nil, d)))
	}
	c.off(l.pal.Dim)
	c.space()
	switch {
	case l.waiting != "":
		c.on(l.pal.Warn)
		c.say("waiting for you: ")
		c.text([]byte(l.waiting))
		c.off(l.pal.Warn)
	case len(l.tools) > 0:
		t := l.tools[len(l.tools)-1]
		name := t.Title
		if name == "" {
			name = t.ID
		}
		c.on(l.pal.Tool)
		c.text([]byte(name))
		c.off(l.pal.Tool)
		if n := len(l.tools); n > 1 {
			c.say(" and " + string(appendInt(nil, n-1)) + " more")
		}
	case l.doing != "":
		c.say(l.doing)
	default:
		c.say("waiting for the agent")
	}
	if l.used != "" {
		c.say(" · ")
		c.text([]byte(l.used))
	}
	return c.dst
}
