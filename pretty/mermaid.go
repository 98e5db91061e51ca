package pretty

import (
	"io"

	"github.com/acptool/acptool/wire"
)

// Mermaid draws a sequence diagram (mermaid.js) as text. It is a Sink.
type Mermaid struct{ w io.Writer }

// NewMermaid writes the diagram to w as entries come.
func NewMermaid(w io.Writer, sel Selection) *Mermaid { return &Mermaid{w: w} }

// Begin starts a connection.
func (m *Mermaid) Begin(Connection) {}

// Observe takes one entry.
func (m *Mermaid) Observe(wire.Entry) {}

// Frame takes a line that is known to be valid JSON.
func (m *Mermaid) Frame(wire.Entry) {}

// Flush writes what is ready.
func (m *Mermaid) Flush() error { return errNotBuilt }

// Close ends the diagram.
func (m *Mermaid) Close() error { return errNotBuilt }
