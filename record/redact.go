package record

import "github.com/acptool/acptool/wire"

// RedactOptions are the choices of a Redactor.
type RedactOptions struct {
	// Paths are jq path expressions, such as ".params.prompt[].text": string
	// values there are taken out too.
	Paths []string
	// Share are the kinds of a copy fit to share: "paths", "ids", "text".
	Share []string
}

// Redactor takes secrets out of what is written down, never out of the
// traffic. It is used by one goroutine at a time.
type Redactor struct {
	o RedactOptions
}

// NewRedactor checks the options and returns a Redactor.
func NewRedactor(o RedactOptions) (*Redactor, error) {
	if len(o.Paths)+len(o.Share) > 0 {
		return nil, errNotBuilt
	}
	return &Redactor{o: o}, nil
}

// Line redacts one line of the wire. It returns the line itself and no
// pointers if there is nothing to take out. The pointers are JSON pointers
// (RFC 6901) into the frame; "" stands for a line that is no frame.
func (r *Redactor) Line(line []byte) ([]byte, []string) { return line, nil }

// Text redacts noise, stderr and other plain text.
func (r *Redactor) Text(text []byte) ([]byte, bool) { return text, false }

// Argv redacts a command line and returns the indices that changed.
func (r *Redactor) Argv(argv []string) ([]string, []int) { return argv, nil }

// Header redacts the agent's argv in a header.
func (r *Redactor) Header(h Header) Header { return h }

// Entry redacts an entry and adds to its list of redacted places.
func (r *Redactor) Entry(e Entry) Entry { return e }

// Observer redacts entries on their way to next: for logs.
func (r *Redactor) Observer(next wire.Observer) wire.Observer {
	return redacting{r: r, next: next}
}

type redacting struct {
	r    *Redactor
	next wire.Observer
}

func (o redacting) Observe(e wire.Entry) { o.next.Observe(o.r.Entry(Entry{Entry: e}).Entry) }
