package acp

import "strings"

// compactionUpdate applies an upsert of a compaction. Its first update fixes
// its place; it splits no message around it.
func compactionUpdate(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("compactionId")
	status, known := p.needText("status")
	if !ok || !known {
		return
	}
	k := f.compaction(id, c)
	k.Status = status
	if blocks, is := p.array("summary"); is == given || is == isNull {
		for i, b := range blocks {
			checkBlock(b, p.at("summary", i), p.problems)
		}
		if len(blocks) > 0 && status != "completed" {
			p.fault("summary", "is valid only with the status completed")
		}
		k.Summary.replace(blocks)
		c.Replaced, c.Text = true, k.Summary.Text()
	}
	if _, is := p.text("error"); is == given && status != "failed" {
		p.fault("error", "is valid only with the status failed")
	}
	p.patchText(&k.Error, "error")
	// The document says "a concrete value replaces it"; the schema merges by key.
	p.patchObject(&k.Meta, "_meta")
}

// compactionChunk appends to the summary. Agents "may send chunks only after
// in_progress and before a terminal update": others are kept and reported.
func compactionChunk(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("compactionId")
	block, is := p.object("content")
	if !p.need("content", is) || !ok {
		return
	}
	checkBlock(block, p.path+"/content", p.problems)
	k := f.compaction(id, c)
	switch {
	case c.Created:
		p.fault("compactionId", "names a compaction of which no update came yet")
	case strings.Contains(" completed failed cancelled ", " "+k.Status+" "):
		p.fault("compactionId", "names a compaction that has ended")
	}
	k.Summary.append(block)
	meta, _ := p.object("_meta")
	k.Summary.noteMeta(meta)
	c.Text = blockText(block)
}

func (f *Fold) compaction(id string, c *Change) *Compaction {
	c.Applied = true
	c.Item, c.Created = f.find(ItemCompaction, id, func() *Item {
		return &Item{Type: ItemCompaction, Compaction: &Compaction{ID: id}}
	})
	return c.Item.Compaction
}
