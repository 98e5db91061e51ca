package acp

import (
	"encoding/json"
	"iter"
	"math"
	"strings"

	"github.com/acptool/acptool/wire/scan"
)

// Content is an array of content blocks that may have come whole or chunk by
// chunk. Each chunk stays a block of its own, as the documents have it
// ([A], then a chunk B: [A, B]). Plain text blocks (type and text, nothing
// else) that stand side by side are stored as one run of text with the places
// of the joints, so that a million chunks cost little more than their text; in
// JSON they are blocks again.
type Content struct {
	parts []part
	metas []ChunkMeta
	count int
}

// part is a run of plain text blocks, or any other block as it came.
type part struct {
	run *textRun
	raw json.RawMessage
}

// textRun holds the insides of JSON strings, escapes intact, end to end.
type textRun struct {
	text []byte
	ends []uint32 // where each block's text ends in text
}

// Len is the number of blocks.
func (c *Content) Len() int { return c.count }

// Text is the text of all text blocks, end to end. A surrogate pair that was
// split between two blocks is whole again.
func (c *Content) Text() string {
	if len(c.parts) == 1 && c.parts[0].run != nil {
		return scan.Unquoted(c.parts[0].run.text)
	}
	var b strings.Builder
	for piece := range c.textPieces() {
		b.Write(piece)
	}
	return b.String()
}

// textPieces yields Text in pieces, none of them empty, that hold whole
// characters and are valid until the next one.
func (c *Content) textPieces() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, p := range c.parts {
			if p.run == nil {
				if text := blockText(p.raw); text != "" && !yield([]byte(text)) {
					return
				}
				continue
			}
			for piece := range scan.Pieces(p.run.text) {
				if !yield(piece) {
					return
				}
			}
		}
	}
}

// Blocks yields each block as JSON.
func (c *Content) Blocks() iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for _, p := range c.parts {
			if p.run == nil {
				if !yield(p.raw) {
					return
				}
				continue
			}
			from := uint32(0)
			for _, end := range p.run.ends {
				if !yield(appendPlain(nil, p.run.text[from:end])) {
					return
				}
				from = end
			}
		}
	}
}

// ChunkMeta lists the _meta of those chunks that had one.
func (c *Content) ChunkMeta() []ChunkMeta { return c.metas }

// AppendJSON appends the array of blocks.
func (c *Content) AppendJSON(dst []byte) []byte { return c.appendJSON(dst, nil) }

func (c *Content) appendJSON(dst []byte, s *spill) []byte {
	dst = append(dst, '[')
	first := true
	comma := func() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
	}
	for _, p := range c.parts {
		if p.run == nil {
			comma()
			dst = s.append(dst, p.raw)
			continue
		}
		from := uint32(0)
		for _, end := range p.run.ends {
			comma()
			dst = append(dst, `{"type":"text","text":"`...)
			dst = s.append(dst, p.run.text[from:end])
			dst = append(dst, `"}`...)
			from = end
		}
	}
	return append(dst, ']')
}

func appendPlain(dst, inside []byte) []byte {
	dst = append(dst, `{"type":"text","text":"`...)
	dst = append(dst, inside...)
	return append(dst, `"}`...)
}

// replace sets the blocks anew; metas of earlier chunks go with their blocks.
func (c *Content) replace(blocks []json.RawMessage) {
	*c = Content{}
	for _, b := range blocks {
		c.append(b)
	}
}

// append adds a block, copied.
func (c *Content) append(block json.RawMessage) {
	if inside, ok := plainText(block); ok {
		c.addText(inside)
		return
	}
	c.count++
	c.parts = append(c.parts, part{raw: clone(block)})
}

// addText adds a plain text block by the inside of its JSON string.
func (c *Content) addText(inside []byte) {
	c.count++
	n := len(c.parts)
	if n == 0 || c.parts[n-1].run == nil || len(c.parts[n-1].run.text)+len(inside) > math.MaxUint32 {
		c.parts = append(c.parts, part{run: &textRun{}})
		n++
	}
	run := c.parts[n-1].run
	run.text = append(run.text, inside...)
	run.ends = append(run.ends, uint32(len(run.text)))
}

// noteMeta keeps the _meta that came with the last chunk.
func (c *Content) noteMeta(meta json.RawMessage) {
	if meta != nil {
		c.metas = append(c.metas, ChunkMeta{c.count - 1, clone(meta)})
	}
}

// plainText is the inside of the string of a block that is type text, text and
// nothing more.
func plainText(block []byte) (inside []byte, ok bool) {
	c := scan.Cursor{B: block}
	if !c.Enter('{') {
		return nil, false
	}
	return plainMembers(&c)
}

// plainMembers is plainText with the cursor inside the object; it steps out.
func plainMembers(c *scan.Cursor) (inside []byte, ok bool) {
	var typed, texted bool
	for {
		key, more := c.Key()
		if !more {
			return inside, typed && texted && !c.Bad
		}
		value := c.Skip()
		switch {
		case string(key) == "type" && !typed && string(value) == `"text"`:
			typed = true
		case string(key) == "text" && !texted && len(value) > 1 && value[0] == '"':
			texted = true
			inside = value[1 : len(value)-1]
		default:
			return nil, false
		}
	}
}

// blockText is the text of a text block, "" of any other.
func blockText(block json.RawMessage) string {
	if string(scan.Text(scan.Member(block, "type"))) != "text" {
		return ""
	}
	return string(scan.Text(scan.Member(block, "text")))
}

// checkBlock notes what is wrong with a content block. Types that are not known
// are for later versions and are kept.
func checkBlock(block json.RawMessage, path string, problems *[]Problem) {
	p, ok := readPayload(block, path, problems)
	if !ok {
		return
	}
	kind, ok := p.needText("type")
	if !ok {
		return
	}
	switch kind {
	case "text":
		p.needText("text")
	case "image", "audio":
		p.needText("data")
		p.needText("mimeType")
	case "resource_link":
		p.needText("name")
		p.needText("uri")
	case "resource":
		raw, is := p.object("resource")
		if !p.need("resource", is) {
			return
		}
		r, ok := readPayload(raw, path+"/resource", problems)
		if !ok {
			return
		}
		r.needText("uri")
		if _, is := r.text("blob"); is == omitted {
			r.needText("text")
		}
	}
}
