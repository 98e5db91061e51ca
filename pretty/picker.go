package pretty

import "github.com/acptool/acptool/wire"

// Picker says which entries a selection picks, for those who pass entries on
// as they are.
type Picker struct {
	sel   Selection
	track tracker
}

// NewPicker is a picker for one connection at a time.
func NewPicker(sel Selection) *Picker { return &Picker{sel: sel} }

// Begin starts another connection.
func (p *Picker) Begin() { p.track.reset() }

// Picks says whether the entry is picked: of an array or of glued frames, if
// one of them is. It must be asked about every entry, since an answer is known
// by its request. valid says that a line is known to be JSON.
func (p *Picker) Picks(e wire.Entry, valid bool) bool {
	word := ""
	switch e.Kind {
	case wire.EntryStderr:
		word = "stderr"
	case wire.EntryEOF:
		word = "eof"
	case wire.EntryExit:
		word = "exit"
	default:
		return p.line(&e, valid)
	}
	return p.sel.picksFrom(e.From) && p.sel.Session == "" && p.sel.picksNames(names{words: [2]string{word}})
}

func (p *Picker) line(e *wire.Entry, valid bool) bool {
	picked, from := false, p.sel.picksFrom(e.From)
	split(e.Data, valid, func(m []byte) {
		f, ok := p.track.look(e, m)
		if ok && from && p.sel.picksSession(f.sess) && p.sel.picksNames(f.names()) {
			picked = true
		}
	}, func(_ []byte, malformed bool) {
		word := "noise"
		if malformed {
			word = "malformed"
		}
		if from && p.sel.Session == "" && p.sel.picksNames(names{words: [2]string{word}}) {
			picked = true
		}
	})
	return picked
}
