package commands

import (
	"io"
	"os"
	"strings"
	"sync"
)

// console writes what the tool itself has to say to people, on stderr, one
// whole line at a time. Safe from several goroutines.
type console struct {
	mu    sync.Mutex
	w     io.Writer
	tty   bool
	quiet bool // -q: only errors
}

func newConsole(f *os.File) *console { return &console{w: f, tty: isTerminal(f)} }

func (c *console) line(label, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	io.WriteString(c.w, "acptool: "+label+": "+text+"\n")
}

// note is for what went well but should be known; -q silences it.
func (c *console) note(text string) {
	if !c.quiet {
		c.line("note", text)
	}
}

// warn is for what is not as it should be, although the command goes on.
func (c *console) warn(text string) { c.line("warning", text) }

// hint suggests what to do next; it follows an error or a warning.
func (c *console) hint(text string) { c.line("hint", text) }

func (c *console) failure(f failure) {
	c.line("error", f.Message)
	for _, d := range f.detail {
		c.line("agent", strings.TrimRight(d, "\n"))
	}
	if f.Hint != "" {
		c.line("hint", f.Hint)
	}
}
