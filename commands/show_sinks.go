package commands

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
)

// sink makes what shows the entries.
func (s *showing) sink(w io.Writer) (pretty.Sink, error) {
	switch {
	case s.recording():
		return s.converter(w), nil
	case s.c.IsSet("jq") && s.format == formatLog:
		return s.filterSink(w)
	}
	switch s.format {
	case formatTranscript, formatMarkdown, formatPatch:
		return s.foldSink(w)
	case formatMermaid:
		return pretty.NewMermaid(w, s.choose), nil
	case formatHTML:
		return pretty.NewHTML(w, s.title(), s.choose), nil
	case formatStats:
		return s.statsSink(w)
	case formatRawClient, formatRawAgent:
		return &rawSink{w: w, party: s.party(), terminal: s.screen.Terminal}, nil
	}
	o := pretty.LogOptions{Screen: s.screen, Body: s.body, Select: s.choose, Buffered: true}
	if s.follow && s.name == "" {
		o.Zone = time.Local // seconds of several connections say little
	}
	log := pretty.NewLog(w, o)
	if s.follow || s.last > 0 || s.name == "-" {
		return log, nil
	}
	return pretty.NewAhead(log), nil // the file is read on meanwhile
}

func (s *showing) statsSink(w io.Writer) (pretty.Sink, error) {
	o := pretty.StatsOptions{Screen: s.screen, JSON: s.c.Bool("json"), Select: s.choose}
	if s.c.IsSet("jq") {
		f, err := s.filter(w)
		if err != nil {
			return nil, err
		}
		o.Document = func(doc []byte) error { return f.Apply(doc, pretty.Vars{}) }
	}
	return pretty.NewStats(w, o), nil
}

func (s *showing) title() string {
	if s.name == "" || s.name == "-" || strings.HasPrefix(s.name, "@") {
		return "ACP recording"
	}
	return filepath.Base(s.name)
}

// filter compiles --jq for results that go to w.
func (s *showing) filter(w io.Writer) (*pretty.Filter, error) {
	source := s.c.String("jq")
	if file, ok := strings.CutPrefix(source, "@"); ok {
		text, err := readFile(file)
		if err != nil {
			return nil, ownf(err, "read the filter")
		}
		source = string(text)
	}
	args, err := filterArgs(s.c)
	if err != nil {
		return nil, err
	}
	s.jq, err = pretty.CompileFilter(source, pretty.FilterOptions{
		Out: w, Err: s.e.Err, Screen: s.screen, Args: args, Environ: os.Environ,
		Raw: s.c.Bool("raw-output"), Compact: s.c.Bool("compact-output"),
	})
	return s.jq, err
}

func (s *showing) filterSink(w io.Writer) (pretty.Sink, error) {
	f, err := s.filter(w)
	if err != nil {
		return nil, err
	}
	o := pretty.StreamOptions{Select: s.choose, Updates: s.c.Bool("updates"), Workers: -1}
	if s.follow || s.last > 0 || s.name == "-" {
		o.Workers = 1 // results must come with their entries
	}
	return pretty.NewFilterStream(f, o), nil
}

// rawSink gives one direction back: byte for byte, but on a terminal, which it
// must not steer.
type rawSink struct {
	w        io.Writer
	party    wire.Party
	terminal bool
	buf      []byte
	err      error
}

func (r *rawSink) Begin(pretty.Connection) {}
func (r *rawSink) Frame(x wire.Entry)      { r.Observe(x) }
func (r *rawSink) Close() error            { return r.Flush() }

func (r *rawSink) Observe(x wire.Entry) {
	if x.Kind != wire.EntryLine || x.From != r.party {
		return
	}
	if r.terminal {
		r.buf = append(pretty.AppendSanitized(r.buf, x.Data), '\n')
	} else {
		r.buf = append(append(r.buf, x.Data...), x.EOL...)
	}
	if len(r.buf) > 1<<16 {
		_ = r.Flush()
	}
}

func (r *rawSink) Flush() error {
	if r.err == nil && len(r.buf) > 0 {
		_, r.err = r.w.Write(r.buf)
	}
	r.buf = r.buf[:0]
	return r.err
}

// converter writes our own format.
type converter struct {
	w      *record.Writer
	pick   *pretty.Picker
	tool   string
	conn   int // of the entry that was looked at last
	looked bool
	wrote  int // connection whose header was written last
	begun  bool
	last   int // show -n: so many are kept until the end
	kept   []record.Entry
}

func (s *showing) converter(w io.Writer) *converter {
	return &converter{
		w:    record.NewWriter(writerOnly{w}, record.Header{}, record.WriterOptions{NoHeader: true, Redact: s.redact}),
		pick: pretty.NewPicker(s.choose), tool: "acptool " + toolVersion(), last: s.last,
	}
}

// writerOnly hides that a file can be closed: whoever opened it does that.
type writerOnly struct{ io.Writer }

// Entry takes an entry with all that the recording says about it.
func (v *converter) Entry(x record.Entry) {
	if !v.looked || x.Conn != v.conn {
		v.looked, v.conn = true, x.Conn
		v.pick.Begin()
	}
	switch {
	case !v.pick.Picks(x.Entry, x.Frame):
	case v.last > 0:
		v.kept = append(v.kept, x)
		if len(v.kept) > 2*v.last {
			v.kept = slices.Clone(v.kept[len(v.kept)-v.last:])
		}
	default:
		v.write(x)
	}
}

func (v *converter) write(x record.Entry) {
	if !v.begun || x.Conn != v.wrote {
		v.begun, v.wrote = true, x.Conn
		h := record.Header{Tool: v.tool}
		if x.Header != nil {
			h = *x.Header
			if h.Tool == "" {
				h.Tool = v.tool
			}
		}
		v.w.Header(h)
	}
	v.w.Write(x)
}

// writeLast writes the last entries; from now on all are written.
func (v *converter) writeLast() {
	kept := v.kept[max(0, len(v.kept)-v.last):]
	v.last, v.kept = 0, nil
	for _, x := range kept {
		v.write(x)
	}
}

func (v *converter) Begin(pretty.Connection) {}
func (v *converter) Frame(x wire.Entry)      { v.Observe(x) }
func (v *converter) Observe(x wire.Entry) {
	v.Entry(record.Entry{Entry: x, Frame: record.IsFrame(x.Data)})
}
func (v *converter) Flush() error { return v.w.Flush() }

func (v *converter) Close() error {
	v.writeLast()
	return v.w.Close()
}

// connectionOf is a connection as sinks are told of it.
func connectionOf(x record.Entry, name string) pretty.Connection {
	p := pretty.Connection{Number: x.Conn, Name: name}
	if h := x.Header; h != nil {
		p.Started, p.Agent = h.Started, h.Agent
	}
	return p
}

// tail keeps what the last entries of a sink wrote: show -n. In a log, where a
// run of chunks is written with what ends it, an entry is a line.
type tail struct {
	w     io.Writer
	last  int
	lines bool
	all   [][]byte
	open  bool // the last piece goes on
	live  bool // all was written; what follows passes
}

func (t *tail) Write(p []byte) (int, error) {
	if t.live {
		return t.w.Write(p)
	}
	if !t.lines {
		t.add(p)
		return len(p), nil
	}
	for l := range bytes.SplitAfterSeq(p, []byte("\n")) {
		if len(l) > 0 {
			t.add(l)
			t.open = l[len(l)-1] != '\n'
			t.trim()
		}
	}
	return len(p), nil
}

func (t *tail) add(p []byte) {
	if !t.open {
		t.all = append(t.all, nil)
	}
	t.open = true
	n := len(t.all) - 1
	t.all[n] = append(t.all[n], p...)
}

// entry says that what one entry wrote is complete.
func (t *tail) entry() {
	if !t.lines {
		t.open = false
		t.trim()
	}
}

func (t *tail) trim() {
	if n := len(t.all); n > 2*t.last {
		t.all = slices.Clone(t.all[n-t.last:])
	}
}

// flush writes the last entries; what is written from now on passes.
func (t *tail) flush() error {
	t.live = true
	for _, p := range t.all[max(0, len(t.all)-t.last):] {
		if _, err := t.w.Write(p); err != nil {
			return err
		}
	}
	t.all = nil
	return nil
}

// flushEvery bounds how long what was read from a pipe waits to be shown.
const flushEvery = 50 * time.Millisecond
