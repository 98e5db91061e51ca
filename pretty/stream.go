package pretty

import "github.com/acptool/acptool/wire"

// FilterStream runs a filter over the messages of a connection: the members of
// an array one by one, with $from, $t, $method, $ms and $session. It is a Sink.
type FilterStream struct{}

// StreamOptions are the choices of a FilterStream.
type StreamOptions struct {
	Select  Selection
	Updates bool // the input is params.update of each session/update, nothing else
	Workers int  // decode on so many goroutines, in order; 0 or 1: on the caller's
	Redact  func([]byte) []byte
}

// NewFilterStream applies f, which from then on belongs to the stream.
func NewFilterStream(f *Filter, o StreamOptions) *FilterStream { return &FilterStream{} }

// Begin starts a connection.
func (s *FilterStream) Begin(Connection) {}

// Observe takes one entry.
func (s *FilterStream) Observe(wire.Entry) {}

// Frame takes a line that is known to be valid JSON.
func (s *FilterStream) Frame(wire.Entry) {}

// Flush waits for what was taken and writes the results.
func (s *FilterStream) Flush() error { return errNotBuilt }

// Close flushes and ends the goroutines. A *HaltError says that the filter
// wanted the end; Done tells so earlier.
func (s *FilterStream) Close() error { return errNotBuilt }

// Done reports whether more entries would have no effect: the filter halted or
// the output failed.
func (s *FilterStream) Done() bool { return false }
