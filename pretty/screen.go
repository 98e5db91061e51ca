package pretty

import (
	"fmt"
	"os"

	"github.com/fatih/color"
	"golang.org/x/term"
)

// Screen says what is known of the stream that something is shown on. The zero
// value is a pipe: no colour, text passed on untouched, lines of any width.
type Screen struct {
	// Terminal: a person reads it, so control characters in the text of others
	// are shown as escapes (design: safety of what people see).
	Terminal bool
	// Colour: escape sequences of our own may be used.
	Colour bool
	// Width in columns that a line should not exceed; 0 means any.
	Width int
}

// ColourChoice is the value of --color.
type ColourChoice uint8

// The three answers to "may I colour this?".
const (
	ColourAuto   ColourChoice = iota // on a terminal, unless the environment says otherwise
	ColourAlways                     // also in a pipe
	ColourNever
)

// ParseColourChoice reads "auto", "always" or "never".
func ParseColourChoice(s string) (ColourChoice, error) {
	switch s {
	case "", "auto":
		return ColourAuto, nil
	case "always":
		return ColourAlways, nil
	case "never":
		return ColourNever, nil
	}
	return ColourAuto, fmt.Errorf("%q is none of auto, always, never", s)
}

// ScreenOf looks at f and at the environment (as os.LookupEnv gives it).
// --color beats the environment; NO_COLOR (when not empty, see no-color.org)
// beats CLICOLOR_FORCE, which beats what f is.
func ScreenOf(f *os.File, choice ColourChoice, lookup func(string) (string, bool)) Screen {
	var s Screen
	if f != nil && term.IsTerminal(int(f.Fd())) {
		s.Terminal = true
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			s.Width = w
		}
	}
	s.Colour = wantsColour(s.Terminal, choice, lookup)
	return s
}

func wantsColour(terminal bool, choice ColourChoice, lookup func(string) (string, bool)) bool {
	switch choice {
	case ColourAlways:
		return true
	case ColourNever:
		return false
	}
	if v, ok := lookup("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, ok := lookup("CLICOLOR_FORCE"); ok && v != "" && v != "0" {
		return true
	}
	if v, ok := lookup("TERM"); ok && v == "dumb" {
		return false
	}
	return terminal
}

// A Paint is the colour of one meaning, ready as the bytes that switch it on
// and off, so that the hot path of the log formats nothing.
type Paint struct{ on, off string }

// Palette gives each meaning its colour. Without colour every Paint is empty.
type Palette struct {
	Client, Agent      Paint // arrows
	Time, Dim          Paint // what is there but seldom read
	Method, ID         Paint
	Text, User         Paint
	Thought, Tool      Paint
	Good, Warn, Bad    Paint
	Added, Removed     Paint
	Key, String, Value Paint // JSON
	Bold               Paint
}

// NewPalette makes the colours, or none. The package variable color.NoColor is
// neither read nor written: each instance is told what to do.
func NewPalette(on bool) *Palette {
	mk := func(attrs ...color.Attribute) Paint {
		if !on {
			return Paint{}
		}
		return newPaint(attrs...)
	}
	return &Palette{
		Client: mk(color.FgCyan), Agent: mk(color.FgGreen),
		Time: mk(color.Faint), Dim: mk(color.Faint),
		Method: mk(color.Bold), ID: mk(color.FgBlue),
		Text: mk(), User: mk(color.FgCyan),
		Thought: mk(color.Faint, color.Italic), Tool: mk(color.FgMagenta),
		Good: mk(color.FgGreen), Warn: mk(color.FgYellow), Bad: mk(color.FgRed),
		Added: mk(color.FgGreen), Removed: mk(color.FgRed),
		Key: mk(color.FgBlue), String: mk(color.FgGreen), Value: mk(color.FgYellow),
		Bold: mk(color.Bold),
	}
}

// newPaint asks a color instance for the bytes around a marker.
func newPaint(attrs ...color.Attribute) Paint {
	if len(attrs) == 0 {
		return Paint{}
	}
	c := color.New(attrs...)
	c.EnableColor()
	s := c.Sprint("x")
	for i := range s {
		if s[i] == 'x' {
			return Paint{on: s[:i], off: s[i+1:]}
		}
	}
	return Paint{}
}

// Of returns s in this colour.
func (p Paint) Of(s string) string { return p.on + s + p.off }

// append adds s in this colour to dst.
func (p Paint) append(dst []byte, s string) []byte {
	dst = append(dst, p.on...)
	dst = append(dst, s...)
	return append(dst, p.off...)
}
