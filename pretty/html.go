package pretty

import (
	"io"

	"github.com/acptool/acptool/wire"
)

// HTML writes one self-contained page with the timeline. It is a Sink.
type HTML struct{ w io.Writer }

// NewHTML writes the page to w as entries come.
func NewHTML(w io.Writer, title string, sel Selection) *HTML { return &HTML{w: w} }

// Begin starts a connection.
func (h *HTML) Begin(Connection) {}

// Observe takes one entry.
func (h *HTML) Observe(wire.Entry) {}

// Frame takes a line that is known to be valid JSON.
func (h *HTML) Frame(wire.Entry) {}

// Flush writes what is ready.
func (h *HTML) Flush() error { return errNotBuilt }

// Close ends the page.
func (h *HTML) Close() error { return errNotBuilt }
