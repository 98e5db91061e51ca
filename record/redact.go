package record

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// RedactOptions are the choices of a Redactor.
type RedactOptions struct {
	// Paths are jq path expressions, such as ".params.prompt[].text": string
	// values there, and below them, are taken out too.
	Paths []string
	// Share are the kinds of a copy fit to share: "paths", "ids", "text".
	Share []string
}

// Redactor takes secrets out of what is written down, never out of the
// traffic. It is used by one goroutine at a time.
//
// It takes out string values only: of members whose names say so, at any depth
// and in _meta as well; of MCP env and headers; of what a login sends besides
// its method; of arguments and query parameters that name a secret; and what
// has the shape of a well-known key, in any string, noise, stderr and argv.
// Everything around a value stays, byte for byte. A key that an agent streams
// in pieces is not seen, since no piece looks like one.
type Redactor struct {
	find  *finder
	hits  []int // places of the frame at hand that are worth a look
	paths *jqPaths
	share *sharer
}

// NewRedactor checks the options and returns a Redactor.
func NewRedactor(o RedactOptions) (*Redactor, error) {
	r := &Redactor{find: newFinder()}
	var err error
	if r.paths, err = newJQPaths(o.Paths); err != nil {
		return nil, err
	}
	if r.share, err = newSharer(o.Share); err != nil {
		return nil, err
	}
	return r, nil
}

// Line redacts one line of the wire. It returns the line itself and no
// pointers if there is nothing to take out. The pointers are JSON pointers
// (RFC 6901) into the frame; "" stands for a line that is no frame.
func (r *Redactor) Line(line []byte) ([]byte, []string) {
	return r.line(line, IsFrame(line))
}

func (r *Redactor) line(line []byte, frame bool) ([]byte, []string) {
	if !frame {
		if from, to := inexact(line); from < to {
			inner, ptrs := r.line(line[from:to], true)
			if len(ptrs) == 0 {
				return line, nil
			}
			return slices.Concat(line[:from], inner, line[to:]), []string{""}
		}
		if out, ok := r.Text(line); ok {
			return out, []string{""}
		}
		return line, nil
	}
	var ptrs []string
	if r.look(line); len(r.hits) > 0 {
		line, ptrs = r.frame(line)
	}
	if r.paths != nil {
		out, more := r.paths.redact(line)
		line, ptrs = out, append(ptrs, more...)
	}
	if r.share != nil {
		out, more := r.share.frame(line)
		line, ptrs = out, append(ptrs, more...)
	}
	return line, ptrs
}

// inexact returns where in a line that is no frame there is one nevertheless, to
// those who take white space around it, a byte order mark or a wrong encoding.
func inexact(line []byte) (from, to int) {
	const space = " \t\r\n"
	inner := bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(line, space), []byte("\ufeff")), space)
	from = len(line) - len(inner)
	inner = bytes.TrimRight(inner, space)
	if len(inner) == 0 || inner[0] != '{' && inner[0] != '[' || !scan.IsValid(inner) {
		return 0, 0
	}
	return from, from + len(inner)
}

// look finds the places in a frame that are worth a closer look, in order:
// triggers, and escapes that could hide one.
func (r *Redactor) look(line []byte) {
	r.hits = r.hits[:0]
	r.find.each(line, func(at int, t *trigger) bool {
		if t.worth(line, at) {
			r.hits = append(r.hits, at)
		}
		return true
	})
	n := len(r.hits)
	for i := hiding(line, 0); i >= 0; i = hiding(line, i+2) {
		r.hits = append(r.hits, i)
	}
	if n > 0 && n < len(r.hits) || !slices.IsSorted(r.hits) {
		slices.Sort(r.hits)
	}
}

// hiding returns the place, from i on, of an escape behind which letters of a
// trigger can hide, \u00XX or \/, or -1.
func hiding(raw []byte, i int) int {
	for i < len(raw) {
		k := bytes.IndexByte(raw[i:], '\\')
		if k < 0 || i+k+1 >= len(raw) {
			return -1
		}
		i += k
		if raw[i+1] == '/' || raw[i+1] == 'u' && i+3 < len(raw) && raw[i+2] == '0' && raw[i+3] == '0' {
			return i
		}
		i += 2
	}
	return -1
}

// Text redacts noise, stderr and other plain text.
func (r *Redactor) Text(text []byte) ([]byte, bool) {
	out, ok := r.text(text)
	if r.share != nil {
		var more bool
		if out, more = r.share.plain(out); more {
			ok = true
		}
	}
	return out, ok
}

// text takes key shapes and named values out of plain text.
func (r *Redactor) text(text []byte) ([]byte, bool) {
	var spans []span
	covered := 0
	r.find.each(text, func(at int, t *trigger) bool {
		if t.match == nil || at < covered {
			return true
		}
		if s, ok := t.match(text, at); ok {
			spans = append(spans, s)
			covered = max(covered, s.end)
		}
		return true
	})
	if len(spans) == 0 {
		return text, false
	}
	slices.SortFunc(spans, func(x, y span) int { return x.start - y.start })
	out := make([]byte, 0, len(text))
	done := 0
	for _, s := range spans {
		if s.start < done { // reaches into the one before
			done = max(done, s.end)
			continue
		}
		out = append(append(out, text[done:s.start]...), Redacted...)
		done = s.end
	}
	return append(out, text[done:]...), true
}

// Argv redacts a command line and returns the indices that changed.
func (r *Redactor) Argv(argv []string) ([]string, []int) {
	var out []string
	var changed []int
	for i, a := range argv {
		var red string
		if i > 0 && namesSecret([]byte(argv[i-1])) && a != "" {
			red = Redacted
		} else {
			text, changed := r.text([]byte(a))
			red = string(text)
			if r.share != nil {
				if s, ok := r.share.argument(red); ok {
					red, changed = s, true
				}
			}
			if !changed {
				continue
			}
		}
		if out == nil {
			out = slices.Clone(argv)
		}
		out[i] = red
		changed = append(changed, i)
	}
	if out == nil {
		return argv, nil
	}
	return out, changed
}

// namesSecret says whether an argument is a flag whose value, the next
// argument, is a secret: --api-key, -token.
func namesSecret(arg []byte) bool {
	flag := bytes.TrimLeft(arg, "-")
	n := len(arg) - len(flag)
	return n > 0 && n <= 2 && classifyName(flag) == nameSecret
}

// Header redacts the agent's argv in a header.
func (r *Redactor) Header(h Header) Header {
	argv, changed := r.Argv(h.Agent)
	h.Agent = argv
	for _, i := range changed {
		h.Redacted = append(slices.Clip(h.Redacted), "/agent/"+strconv.Itoa(i))
	}
	return h
}

// Entry redacts an entry and adds to its list of redacted places.
func (r *Redactor) Entry(e Entry) Entry {
	return r.entry(e, e.Kind == wire.EntryLine && IsFrame(e.Data))
}

func (r *Redactor) entry(e Entry, frame bool) Entry {
	switch e.Kind {
	case wire.EntryLine:
		out, ptrs := r.line(e.Data, frame)
		e.Data = out
		for _, p := range ptrs {
			if !slices.Contains(e.Redacted, p) {
				e.Redacted = append(slices.Clip(e.Redacted), p)
			}
		}
	case wire.EntryStderr:
		if out, ok := r.Text(e.Data); ok {
			e.Data = out
			e.Redacted = []string{""}
		}
	}
	return e
}

// Observer redacts entries on their way to next: for logs.
func (r *Redactor) Observer(next wire.Observer) wire.Observer {
	return redacting{r: r, next: next}
}

type redacting struct {
	r    *Redactor
	next wire.Observer
}

func (o redacting) Observe(e wire.Entry) { o.next.Observe(o.r.Entry(Entry{Entry: e}).Entry) }

// OptionError says that a choice for redaction is not one.
type OptionError struct {
	Value string
	Err   error
}

func (e *OptionError) Error() string { return fmt.Sprintf("--redact %s: %v", e.Value, e.Err) }
func (e *OptionError) Unwrap() error { return e.Err }

// validText makes what is to stand in a JSON string valid UTF-8.
func validText(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\ufffd"))
}
