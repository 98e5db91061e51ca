package acp

import (
	"encoding/base64"
	"unicode/utf8"
)

// terminalUpdate applies an upsert of a terminal: omitted keeps, null clears, a
// value replaces; output is a snapshot of all bytes.
func terminalUpdate(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("terminalId")
	if !ok {
		return
	}
	t := f.terminal(id, c)
	p.patchText(&t.Command, "command")
	p.patchText(&t.Cwd, "cwd")
	p.patchObject(&t.Size, "size")
	p.patchObject(&t.Capabilities, "capabilities")
	p.patchObject(&t.Meta, "_meta")
	exit, is := p.object("exitStatus")
	if is == given {
		e, _ := readPayload(exit, p.path+"/exitStatus", p.problems)
		e.number("exitCode")
		e.text("signal")
	}
	patch(&t.Exit, exit, is)
	switch raw, is := p.object("output"); is {
	case isNull:
		t.Output, t.shown, c.Replaced = nil, 0, true
	case given:
		output, ok := readPayload(raw, p.path+"/output", p.problems)
		if !ok {
			return
		}
		if data, ok := output.base64("data"); ok {
			t.Output, t.shown, c.Replaced = data, 0, true
			c.Text = t.more()
		}
	}
}

// terminalChunk appends bytes, which are "independently base64-encoded" and may
// end inside a character.
func terminalChunk(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("terminalId")
	data, valid := p.base64("data")
	if !ok || !valid {
		return
	}
	t := f.terminal(id, c)
	t.Output = append(t.Output, data...)
	c.Text = t.more()
}

func (f *Fold) terminal(id string, c *Change) *Terminal {
	c.Applied = true
	c.Item, c.Created = f.find(ItemTerminal, id, func() *Item {
		return &Item{Type: ItemTerminal, Terminal: &Terminal{ID: id}}
	})
	return c.Item.Terminal
}

// base64 is the bytes of a required member; padding may be missing.
func (p *payload) base64(key string) ([]byte, bool) {
	s, ok := p.needText(key)
	if !ok {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		data, err = base64.RawStdEncoding.DecodeString(s)
	}
	if err != nil {
		p.fault(key, "is not base64")
	}
	return data, err == nil
}

// more is the text that no Change has told of yet, but for a last character
// whose rest may still come.
func (t *Terminal) more() string {
	fresh := t.Output[t.shown:]
	keep := len(fresh)
	for back := 1; back < utf8.UTFMax && back <= len(fresh); back++ {
		if b := fresh[len(fresh)-back]; utf8.RuneStart(b) {
			if !utf8.FullRune(fresh[len(fresh)-back:]) {
				keep -= back
			}
			break
		}
	}
	t.shown += keep
	return string(fresh[:keep])
}
