package acp

import (
	"encoding/json"

	"github.com/acptool/acptool/wire/scan"
)

// toolCallV1 applies version 1's tool_call, which announces a call. One that is
// known already (by a permission request) is patched.
func toolCallV1(f *Fold, p *payload, c *Change) {
	if id, ok := p.needID("toolCallId"); ok {
		p.needText("title")
		f.patchTool(id, p, c)
	}
}

// toolCallUpdate applies an upsert of a tool call; it may also be the first
// that is seen of it.
func toolCallUpdate(f *Fold, p *payload, c *Change) {
	if id, ok := p.needID("toolCallId"); ok {
		f.patchTool(id, p, c)
	}
}

// tool finds a tool call or begins it with the protocol's defaults. A new one
// ends a run of chunks without ids.
func (f *Fold) tool(id string, c *Change) *ToolCall {
	c.Applied = true
	c.Item, c.Created = f.find(ItemToolCall, id, func() *Item {
		return &Item{Type: ItemToolCall, Tool: &ToolCall{ID: id, Kind: "other", Status: "pending"}}
	})
	if c.Created {
		f.run = nil
	}
	return c.Item.Tool
}

// patchTool applies the members of a tool call. In version 1 null means
// unchanged; in version 2 it clears, and kind and status fall back to their
// defaults.
func (f *Fold) patchTool(id string, p *payload, c *Change) {
	if f.version == V1 {
		p.dropNulls()
	}
	t := f.tool(id, c)
	p.patchText(&t.Name, "name")
	p.patchText(&t.Title, "title")
	p.patchText(&t.Kind, "kind")
	p.patchText(&t.Status, "status")
	if t.Kind == "" {
		t.Kind = "other"
	}
	if t.Status == "" {
		t.Status = "pending"
	}
	p.patchRaw(&t.RawInput, "rawInput")
	p.patchRaw(&t.RawOutput, "rawOutput")
	p.patchObject(&t.Capabilities, "capabilities")
	p.patchObject(&t.Meta, "_meta")
	if meta, is := p.raw("_meta"); is == given && f.version == V1 {
		f.metaTerminal(meta)
	}
	if list, is := p.array("locations"); is == given || is == isNull {
		for i, l := range list {
			if place, ok := readPayload(l, p.at("locations", i), p.problems); ok {
				place.needText("path")
				place.number("line")
			}
		}
		t.Locations = cloneAll(list)
	}
	if list, is := p.array("content"); is == given || is == isNull {
		for i, entry := range list {
			checkToolContent(entry, p.at("content", i), p.problems)
			c.Text += toolText(entry)
		}
		t.Content, t.ChunkMeta = cloneAll(list), nil
		c.Replaced = true
	}
}

// toolCallChunk: "Clients append each tool_call_content_chunk to the current
// content for that toolCallId" (v2-prompt-lifecycle, Tool Invocation).
func toolCallChunk(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("toolCallId")
	entry, is := p.object("content")
	if !p.need("content", is) || !ok {
		return
	}
	checkToolContent(entry, p.path+"/content", p.problems)
	t := f.tool(id, c)
	t.Content = append(t.Content, clone(entry))
	c.Text = toolText(entry)
	if meta, is := p.object("_meta"); is == given {
		t.ChunkMeta = append(t.ChunkMeta, ChunkMeta{len(t.Content) - 1, clone(meta)})
	}
}

// dropNulls makes null members omitted ones.
func (p *payload) dropNulls() {
	kept := p.members[:0]
	for _, m := range p.members {
		if string(m.value) != "null" {
			kept = append(kept, m)
		}
	}
	p.members = kept
}

// toolText is the text of a text block in a tool call's content.
func toolText(entry json.RawMessage) string {
	if string(scan.Text(scan.Member(entry, "type"))) != "content" {
		return ""
	}
	return blockText(scan.Member(entry, "content"))
}

// checkToolContent notes what is wrong with one entry of a tool call's content.
// A diff is known in both dialects: path and newText (v1), changes (v2).
func checkToolContent(entry json.RawMessage, path string, problems *[]Problem) {
	p, ok := readPayload(entry, path, problems)
	if !ok {
		return
	}
	kind, ok := p.needText("type")
	if !ok {
		return
	}
	switch kind {
	case "content":
		if block, is := p.object("content"); p.need("content", is) {
			checkBlock(block, path+"/content", problems)
		}
	case "diff":
		changes, is := p.array("changes")
		if is == omitted {
			p.needText("path")
			p.needText("newText")
			return
		}
		p.need("changes", is)
		for i, change := range changes {
			if d, ok := readPayload(change, p.at("changes", i), problems); ok {
				d.needText("operation")
				d.needText("path")
			}
		}
	case "terminal":
		p.needID("terminalId")
	}
}
