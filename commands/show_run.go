package commands

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
)

// run reads the recording into the sink.
func (s *showing) run() error {
	if s.follow && s.name == "" {
		return s.runFolder()
	}
	r, err := s.reader()
	if err != nil {
		return ownf(err, "read the recording")
	}
	defer r.Close()
	s.found = s.watch()
	s.out = s.found.writer(s.out)
	w := s.out
	var last *tail
	if s.last > 0 && !s.recording() {
		last = s.tail()
		w = last
	}
	sink, err := s.sink(w)
	if err != nil {
		return err
	}
	if s.follow {
		r.OnWait(func() {
			if v, ok := sink.(*converter); ok {
				v.writeLast()
			}
			_ = sink.Flush()
			if last != nil && !last.live {
				_ = last.flush()
			}
		})
	}
	next := r.Next
	var ahead *record.Ahead
	if !s.follow && s.name != "-" {
		ahead = record.ReadAhead(r)
		next = ahead.Next
	}
	err = s.copy(next, sink, last)
	if ahead != nil {
		ahead.Close()
	}
	if cerr := sink.Close(); err == nil {
		err = cerr
	}
	if last != nil && !last.live {
		last.entry()
		if ferr := last.flush(); err == nil {
			err = ferr
		}
	}
	if err == nil && s.c.Context.Err() != nil {
		err = context.Cause(s.c.Context)
	}
	if err == nil && r.Truncated() > 0 {
		s.e.say.note("the recording ends in the middle of an entry")
	}
	if err = s.finish(err); err == nil || realError(err) == nil {
		if none := s.unmatched(s.found); none != nil {
			err = none
		}
	}
	return err
}

func (s *showing) tail() *tail {
	return &tail{w: s.out, last: s.last, lines: !s.c.IsSet("jq") && s.body == pretty.BodyNone}
}

// finish applies what the filter came to.
func (s *showing) finish(err error) error { return filterEnd(s.jq, s.c.Bool("exit-status"), err) }

func (s *showing) env() record.Env {
	return record.Env{Getenv: s.e.getenv, Stdin: s.e.endableStdin(s.c.Context), MaxFrame: s.c.Int64("max-frame")}
}

func (s *showing) reader() (*record.Reader, error) {
	if s.follow {
		return record.OpenFollow(s.c.Context, s.name, s.env())
	}
	return record.Open(s.name, s.env())
}

// copy passes the entries on until the file ends, the filter does, or the
// output cannot be written.
func (s *showing) copy(next func() (record.Entry, error), sink pretty.Sink, last *tail) error {
	conn, begun := 0, false
	flushed := time.Now()
	for n := 0; ; n++ {
		x, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return ownf(err, "read %s", s.shown())
		}
		if n%64 == 63 && s.c.Context.Err() != nil {
			return context.Cause(s.c.Context)
		}
		if !begun || x.Conn != conn {
			begun, conn = true, x.Conn
			sink.Begin(connectionOf(x, ""))
		}
		s.pass(sink, x)
		if last != nil || s.name == "-" && time.Since(flushed) > flushEvery {
			flushed = time.Now()
			err = sink.Flush()
		}
		if last != nil {
			last.entry()
		}
		filter, _ := sink.(*pretty.FilterStream)
		if filter != nil && filter.Done() {
			return nil // Close says why
		}
		if err != nil {
			return err
		}
		if n%4096 == 4095 && filter == nil {
			// An output that nobody reads any more ends us.
			if err := sink.Flush(); err != nil {
				return err
			}
		}
	}
}

// pass shows one entry.
func (s *showing) pass(sink pretty.Sink, x record.Entry) {
	if s.found != nil && !s.found.seen {
		s.found.look(x.Data)
	}
	if v, ok := sink.(*converter); ok {
		v.Entry(x) // its writer redacts
		return
	}
	if s.redact != nil {
		x = s.redact.Entry(x)
	}
	if f, ok := sink.(*pretty.FilterStream); ok {
		f.At(s.name, x.FileLine)
	}
	if x.Frame {
		sink.Frame(x.Entry)
	} else {
		sink.Observe(x.Entry)
	}
}

func (s *showing) shown() string {
	switch s.name {
	case "-":
		return "standard input"
	case "", "@last":
		return "the newest recording"
	}
	return s.name
}

// runFolder follows the newest recording and all that appear later, until a
// signal.
func (s *showing) runFolder() error {
	folder, err := record.Folder(s.env())
	if err != nil {
		return ownf(err, "find the folder of recordings")
	}
	ctx, stop := context.WithCancel(s.c.Context)
	defer stop()
	if list, err := record.List(folder); err == nil && len(list) == 0 {
		s.e.say.aside("no recordings in " + folder + " yet; waiting for the first (Ctrl-C ends)")
	}
	views := map[string]*view{}
	entries := record.FollowFolder(ctx, folder, s.env())
	defer func() {
		stop()
		for range entries { // until its goroutines have ended
		}
	}()
	var first *pretty.Log
	for x := range entries {
		v := views[x.Path]
		if v == nil {
			if v, err = s.view(x.Path, &first, len(views) == 0); err != nil {
				return err
			}
			views[x.Path] = v
		}
		if err := v.take(s, x); err != nil {
			return err
		}
		if x.End || x.Err != nil {
			if err := v.sink.Close(); err != nil {
				return s.finish(err)
			}
		}
	}
	return context.Cause(s.c.Context)
}

// view shows one of the recordings of a folder.
type view struct {
	sink  pretty.Sink
	last  *tail
	name  string
	conn  int
	begun bool
}

// view makes the view of a recording. Logs share one stream, so that their
// lines come whole. -n counts in the recording that was there at first.
func (s *showing) view(path string, first **pretty.Log, isFirst bool) (*view, error) {
	v := &view{name: viewName(path)}
	if *first != nil {
		v.sink = (*first).Sibling()
		return v, nil
	}
	w := s.out
	if s.last > 0 && isFirst {
		v.last = s.tail()
		w = v.last
	}
	sink, err := s.sink(w)
	if l, ok := sink.(*pretty.Log); ok {
		*first = l
	}
	v.sink = sink
	return v, err
}

// viewName tells recordings apart in one log: by agent and process where the
// name is one that we give, else by the file's name.
func viewName(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), record.Extension)
	if stamp, rest, ok := strings.Cut(name, "-"); ok && len(stamp) == len("20060102T150405Z") && stamp[8] == 'T' {
		return rest
	}
	return name
}

func (v *view) take(s *showing, x record.Followed) error {
	switch {
	case x.Err != nil:
		s.e.say.line("warning", x.Path+": "+x.Err.Error())
		return nil
	case x.Wait || x.End:
		err := v.sink.Flush()
		if v.last != nil && !v.last.live && err == nil {
			err = v.last.flush()
		}
		return err
	}
	if !v.begun || x.Entry.Conn != v.conn {
		v.begun, v.conn = true, x.Entry.Conn
		v.sink.Begin(connectionOf(x.Entry, v.name))
	}
	s.pass(v.sink, x.Entry)
	err := v.sink.Flush()
	if v.last != nil {
		v.last.entry()
	}
	if f, ok := v.sink.(*pretty.FilterStream); ok && f.Done() {
		return s.finish(f.Close())
	}
	return err
}
