package commands

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// Whoever asks for what is not there is told so: --session with an error, since
// its id can only be wrong, --only with a warning, since there may just have
// been no such message.

// sightings watches for what was asked for.
type sightings struct {
	session []byte // as it stands in a message that was written compactly
	seen    bool
	written bool // something was shown
}

func (s *showing) watch() *sightings {
	if s.follow { // it may come
		return &sightings{seen: true, written: true}
	}
	return &sightings{session: []byte(`"sessionId":"` + s.choose.Session + `"`), seen: s.choose.Session == ""}
}

func (m *sightings) look(line []byte) { m.seen = m.seen || bytes.Contains(line, m.session) }

// writer notes that something was shown.
func (m *sightings) writer(w io.Writer) io.Writer {
	if m.written {
		return w
	}
	return notingWriter{w, &m.written}
}

type notingWriter struct {
	io.Writer
	wrote *bool
}

func (n notingWriter) Write(p []byte) (int, error) {
	*n.wrote = *n.wrote || len(p) > 0
	return n.Writer.Write(p)
}

// unmatched is what is said of a --session or --only that nothing matched.
func (s *showing) unmatched(m *sightings) error {
	if !m.written {
		for _, glob := range s.choose.Only {
			if hint, unknown := unknownName(glob); unknown {
				s.e.say.warn("--only " + wire.Quote(glob) + ": no method, kind of update or other entry is called so")
				if hint != "" && !s.e.say.quiet {
					s.e.say.hint("did you mean " + hint + "?")
				}
			}
		}
	}
	if m.seen {
		return nil
	}
	unknown := &noSuchSession{UnknownSessionError: &record.UnknownSessionError{Path: s.shown(), SessionID: s.choose.Session}}
	if s.name == "-" {
		return unknown
	}
	var err error
	unknown.others, err = s.sessions()
	if err != nil || slices.Contains(unknown.others, s.choose.Session) {
		return err
	}
	return unknown
}

// sessions are the ids that the recording names.
func (s *showing) sessions() ([]string, error) {
	r, err := s.reader()
	if err != nil {
		return nil, ownf(err, "read the recording")
	}
	defer r.Close()
	var ids []string
	for {
		x, err := r.Next()
		if errors.Is(err, io.EOF) {
			return ids, nil
		}
		if err != nil {
			return nil, ownf(err, "read %s", s.shown())
		}
		if x.Kind != wire.EntryLine {
			continue
		}
		for _, m := range wire.Decode(x.Data).Messages {
			p, ok := acp.Peek(m.Raw)
			if ok && len(p.Session) > 0 && !slices.Contains(ids, string(p.Session)) {
				ids = append(ids, string(p.Session))
			}
		}
	}
}

// noSuchSession says which sessions there are.
type noSuchSession struct {
	*record.UnknownSessionError
	others []string
}

func (n *noSuchSession) Unwrap() error { return n.UnknownSessionError }

func (n *noSuchSession) hint() string {
	switch {
	case len(n.others) == 0:
		return ""
	case len(n.others) > 10:
		return "it shows " + count(len(n.others), "session") + ", such as " + strings.Join(n.others[:10], ", ")
	}
	return "it shows " + strings.Join(n.others, ", ")
}

// unknownName says whether a glob of --only matches nothing that the protocol or
// a log knows, and what may have been meant. What begins with _ is somebody's
// own.
func unknownName(glob string) (hint string, unknown bool) {
	if strings.HasPrefix(glob, "_") {
		return "", false
	}
	known := pretty.EntryWords()
	for _, m := range acp.Methods() {
		known = append(known, m.Name)
	}
	known = append(append(known, acp.UpdateKinds(acp.V1)...), acp.UpdateKinds(acp.V2)...)
	if slices.ContainsFunc(known, func(name string) bool { return pretty.Glob(glob, name) }) {
		return "", false
	}
	return nearest(glob, known), true
}
