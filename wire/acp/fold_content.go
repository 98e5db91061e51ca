package acp

import (
	"encoding/json"
	"iter"
)

// Content is an array of content blocks that may have come whole or chunk by
// chunk. Each chunk stays a block of its own, as the documents have it
// ([A], then a chunk B: [A, B]); plain text blocks that stand side by side are
// stored as one run of text with the places of the joints, so that a million
// chunks cost little more than their text.
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

// Text is the text of all text blocks, end to end.
func (c *Content) Text() string { return string(c.appendText(nil)) }

// Blocks yields each block as JSON.
func (c *Content) Blocks() iter.Seq[json.RawMessage] { return c.blocks }

// ChunkMeta lists the _meta of those chunks that had one.
func (c *Content) ChunkMeta() []ChunkMeta { return c.metas }

// AppendJSON appends the array of blocks.
func (c *Content) AppendJSON(dst []byte) []byte { return c.appendJSON(dst) }
