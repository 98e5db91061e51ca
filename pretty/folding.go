package pretty

import (
	"errors"
	"io"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// FoldForm is a form in which folded sessions are written.
type FoldForm uint8

const (
	FoldText     FoldForm = iota // a conversation
	FoldMarkdown                 // the same, to be pasted
	FoldJSON                     // one document per session
	FoldPatch                    // the edits of completed tool calls
)

// FoldingOptions are the choices of a Folding.
type FoldingOptions struct {
	Screen  Screen
	Form    FoldForm
	Session string              // this session alone; "" all
	Redact  func([]byte) []byte // as in LogOptions
	// Document, if set, is given each session's JSON instead of it being
	// written (for --jq).
	Document func([]byte) error
}

// Folding folds every session of what it observes and writes them at Close, in
// the order in which they were first seen. It is a Sink; its memory is in
// proportion to the text of the sessions.
type Folding struct {
	w   io.Writer
	o   FoldingOptions
	set *acp.FoldSet
	any bool

	roots *roots // of FoldPatch
}

// NewFolding writes to w.
func NewFolding(w io.Writer, o FoldingOptions) *Folding {
	return &Folding{w: w, o: o, set: acp.NewFoldSet(), roots: newRoots()}
}

// Begin starts a connection. Sessions go on over connections.
func (f *Folding) Begin(Connection) {
	if f.any {
		f.set.Connection()
	}
	f.any = true
}

// Observe takes one entry.
func (f *Folding) Observe(e wire.Entry) { f.entry(&e, false) }

// Frame takes a line that is known to be valid JSON.
func (f *Folding) Frame(e wire.Entry) { f.entry(&e, true) }

func (f *Folding) entry(e *wire.Entry, valid bool) {
	if e.Kind != wire.EntryLine {
		return
	}
	data := e.Data
	if f.o.Redact != nil {
		data = f.o.Redact(data)
	}
	split(data, valid, func(m []byte) {
		p, ok := acp.Peek(m)
		if !ok {
			return
		}
		if f.o.Form == FoldPatch {
			f.roots.look(e.From, p)
		}
		f.set.Message(e.From, wire.Message{
			Raw: m, ID: wire.ID(p.ID), Method: string(p.Method),
			Params: p.Params, Result: p.Result, Error: p.Error,
		})
	}, func([]byte, bool) {})
}

// Flush does nothing: sessions are written when they are complete.
func (f *Folding) Flush() error { return nil }

// Folds lists the sessions so far.
func (f *Folding) Folds() []*acp.Fold { return f.set.Folds() }

// Close writes the sessions.
func (f *Folding) Close() error {
	f.set.Close()
	first := true
	for _, fold := range f.set.Folds() {
		if f.o.Session != "" && f.o.Session != fold.SessionID() {
			continue
		}
		if !first && f.o.Form != FoldJSON && f.o.Form != FoldPatch && f.o.Document == nil {
			if _, err := io.WriteString(f.w, "\n"); err != nil {
				return err
			}
		}
		first = false
		if err := f.write(fold); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folding) write(fold *acp.Fold) error {
	switch {
	case f.o.Document != nil:
		return f.o.Document(fold.AppendJSON(nil))
	case f.o.Form == FoldJSON:
		return WriteJSONFrom(f.w, f.o.Screen, fold.WriteJSON)
	case f.o.Form == FoldPatch && f.o.Screen.Terminal:
		s := NewSanitizer(f.w)
		return errors.Join(WritePatch(s, fold, f.roots.session[fold.SessionID()]), s.Close())
	case f.o.Form == FoldPatch:
		return WritePatch(f.w, fold, f.roots.session[fold.SessionID()])
	case f.o.Form == FoldMarkdown && f.o.Screen.Terminal:
		s := NewSanitizer(f.w)
		return errors.Join(WriteMarkdown(s, fold), s.Close())
	case f.o.Form == FoldMarkdown:
		return WriteMarkdown(f.w, fold)
	}
	return WriteTranscript(f.w, f.o.Screen, fold)
}
