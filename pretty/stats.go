package pretty

import (
	"io"

	"github.com/acptool/acptool/wire"
)

// Stats counts and times what passes. It is a Sink that writes at Close.
type Stats struct {
	w io.Writer
	o StatsOptions
}

// StatsOptions are the choices of Stats.
type StatsOptions struct {
	Screen Screen
	JSON   bool
	Select Selection
}

// NewStats makes statistics that are written to w at Close.
func NewStats(w io.Writer, o StatsOptions) *Stats { return &Stats{w: w, o: o} }

// Begin starts a connection.
func (s *Stats) Begin(Connection) {}

// Observe takes one entry.
func (s *Stats) Observe(wire.Entry) {}

// Frame takes a line that is known to be valid JSON.
func (s *Stats) Frame(wire.Entry) {}

// Flush does nothing.
func (s *Stats) Flush() error { return nil }

// Close writes the statistics.
func (s *Stats) Close() error { return errNotBuilt }
