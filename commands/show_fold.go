package commands

import (
	"encoding/json"
	"io"

	"github.com/acptool/acptool/pretty"
)

// foldSink shows the sessions of a recording as conversations.
func (s *showing) foldSink(w io.Writer) (pretty.Sink, error) {
	o := pretty.FoldingOptions{Screen: s.screen, Session: s.choose.Session}
	switch {
	case s.c.IsSet("jq"):
		f, err := s.filter(w)
		if err != nil {
			return nil, err
		}
		o.Form = pretty.FoldJSON
		o.Document = func(doc []byte) error { return f.Apply(json.RawMessage(doc), pretty.Vars{}) }
	case s.c.Bool("json"):
		o.Form = pretty.FoldJSON
	case s.format == formatPatch:
		o.Form = pretty.FoldPatch
	case s.format == formatMarkdown:
		o.Form = pretty.FoldMarkdown
	}
	return pretty.NewFolding(w, o), nil
}
