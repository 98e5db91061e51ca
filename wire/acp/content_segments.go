package acp

import (
	"encoding/json"
	"iter"

	"github.com/acptool/acptool/wire/scan"
)

// Segments yields the content as a reader sees it: the text of plain text
// blocks that stand side by side as one piece (block is nil), and each other
// block as it came. Unlike Blocks it costs nothing per chunk.
func (c *Content) Segments() iter.Seq2[string, json.RawMessage] {
	return func(yield func(text string, block json.RawMessage) bool) {
		for _, p := range c.parts {
			ok := false
			if p.run != nil {
				ok = yield(scan.Unquoted(p.run.text), nil)
			} else {
				ok = yield("", p.raw)
			}
			if !ok {
				return
			}
		}
	}
}
