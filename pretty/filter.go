package pretty

import (
	"fmt"
	"io"
	"time"
)

// FilterOptions are what a filter needs besides its text.
type FilterOptions struct {
	Out    io.Writer // results, one document a line
	Err    io.Writer // debug, stderr and errors of single inputs
	Screen Screen    // of Out: indented and coloured there

	Raw       bool // -r: strings as they are
	Compact   bool // -c: on one line, also on a terminal
	Args      []NamedArg
	Environ   func() []string // $ENV; nil: empty
	ErrPrefix string          // before an error of a single input, "acptool: error: " if empty
}

// NamedArg is a variable from --arg (Value is a string) or --argjson (JSON).
type NamedArg struct {
	Name  string
	Value string
	JSON  bool
}

// Vars are the variables that go with one input. The zero value is for a
// result that stands alone; then $t and $ms are null, the others too.
type Vars struct {
	From    string         // $from
	T       *time.Duration // $t, in seconds
	Method  string         // $method
	Latency *time.Duration // $ms, in milliseconds
	Session string         // $session
	File    string         // input_filename
	Line    int            // input_line_number
}

// Filter is a compiled jq filter that writes its results.
type Filter struct{ o FilterOptions }

// FilterError says what is wrong with a filter's text: a usage error.
type FilterError struct {
	Source  string
	Offset  int // byte where it goes wrong, len(Source) for the end, -1 if not known
	Message string
}

func (e *FilterError) Error() string { return fmt.Sprintf("bad filter: %s", e.Message) }

// HaltError is returned when the filter said halt or halt_error: the stream
// ends here. Status is 0 for halt, 1 for halt_error.
type HaltError struct{ Status int }

func (e *HaltError) Error() string { return "filter halted" }

// CompileFilter compiles source once. A bad one gives a *FilterError.
func CompileFilter(source string, o FilterOptions) (*Filter, error) {
	return nil, errNotBuilt
}

// Apply runs the filter on one JSON document and writes its results. An error
// of this one input is written to Err and counted, not returned; what is
// returned is a *HaltError or the failure to write.
func (f *Filter) Apply(doc []byte, v Vars) error { return errNotBuilt }

// Failed is the number of inputs that gave an error.
func (f *Filter) Failed() int { return 0 }

// Truthy says whether the last output was neither false nor null (-e); false
// when there was none.
func (f *Filter) Truthy() bool { return false }
