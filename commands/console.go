package commands

import (
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/acptool/acptool/pretty"
)

// console writes what the tool itself has to say to people, on stderr, one
// whole line at a time. Safe from several goroutines. What comes from an agent
// is shown with its control characters as escapes: on a terminal always, and
// in a pipe where a line of ours quotes it.
type console struct {
	mu    sync.Mutex
	w     io.Writer
	tty   bool
	quiet bool         // -q: errors alone
	live  *pretty.Live // a status line that stands on the terminal, or nil

	beside *atomic.Bool // stdout stands in the middle of a line of the same terminal or file
	shared bool         // stdout is the same file
}

func newConsole(f *os.File) *console { return &console{w: f, tty: isTerminal(f)} }

// Write passes text on that is finished already, such as log lines.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		_ = c.live.Clear()
	}
	if (c.tty || c.shared) && c.beside != nil && c.beside.Swap(false) {
		p = append([]byte("\n"), p...)
		n, err := c.w.Write(p)
		return max(n-1, 0), err
	}
	return c.w.Write(p)
}

// show keeps a status line on the terminal until show(nil).
func (c *console) show(live *pretty.Live) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		_ = c.live.End()
	}
	c.live = live
}

// draw draws the status line anew.
func (c *console) draw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		_ = c.live.Draw() // a terminal that is gone is noticed elsewhere
	}
}

// hide takes the status line away until it is drawn again.
func (c *console) hide() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live != nil {
		_ = c.live.Clear()
	}
}

func (c *console) line(label, text string) {
	text = strings.ReplaceAll(pretty.Sanitize(strings.TrimRight(text, "\r\n")), "\n", "\n         ")
	c.Write([]byte("acptool: " + label + ": " + text + "\n"))
}

// note is for what went well but should be known; -q silences it.
func (c *console) note(text string) {
	if !c.quiet {
		c.line("note", text)
	}
}

// aside is a note for somebody who sits at the terminal. A script gets none: what
// went well leaves its stderr empty.
func (c *console) aside(text string) {
	if c.tty {
		c.note(text)
	}
}

// warn is for what is not as it should be, although the command goes on; -q
// silences it.
func (c *console) warn(text string) {
	if !c.quiet {
		c.line("warning", text)
	}
}

// hint suggests what to do next; it follows an error or a warning.
func (c *console) hint(text string) { c.line("hint", text) }

// noise reports a line on the agent's stdout that is no message.
func (c *console) noise(line []byte) {
	c.warn("not a message, on the agent's stdout: " + shorten(string(line), 200))
}

// agent shows what the agent wrote on its stderr (--agent-stderr show).
func (c *console) agent(b []byte) {
	if c.tty {
		b = pretty.AppendSanitized(nil, b)
	}
	c.Write(b)
}

func (c *console) failure(f failure) {
	if f.silent {
		return
	}
	c.line("error", f.Message)
	for _, d := range f.detail {
		c.Write([]byte("  " + pretty.Sanitize(strings.TrimRight(d, "\r\n")) + "\n"))
	}
	if f.Hint != "" {
		c.hint(f.Hint)
	}
}
