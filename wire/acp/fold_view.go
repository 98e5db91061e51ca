package acp

import "encoding/json"

// BlockView is a content block as a reader of transcripts needs it. Members
// that the block's type does not have are empty.
type BlockView struct {
	Type     string // text, image, audio, resource_link, resource or a later type
	Text     string // text; a resource's text
	MimeType string
	URI      string // image, resource_link, resource
	Name     string // resource_link
	Title    string // resource_link
	Size     string // resource_link: its bytes, digits as they came
	Data     int    // image, audio, resource: length of the base64 data, 0 if none
}

// ViewBlock looks at one content block.
func ViewBlock(block json.RawMessage) BlockView {
	var none []Problem
	p, ok := readPayload(block, "", &none)
	if !ok {
		return BlockView{}
	}
	inner := p
	if raw, is := p.object("resource"); is == given {
		inner, _ = readPayload(raw, "", &none)
	}
	v := BlockView{Type: p.see("type"), Name: p.see("name"), Title: p.see("title"), Size: p.digits("size")}
	v.Text, v.MimeType, v.URI = inner.see("text"), inner.see("mimeType"), inner.see("uri")
	v.Data = len(inner.see("data")) + len(inner.see("blob"))
	return v
}

// see is a string member, or "".
func (p *payload) see(key string) string {
	s, _ := p.text(key)
	return s
}

// digits is a number member as it came, or "".
func (p *payload) digits(key string) string {
	n, _ := p.number(key)
	return string(n)
}

// ToolContentView is one entry of a tool call's content.
type ToolContentView struct {
	Type       string    // content, diff, terminal or a later type
	Block      BlockView // content
	Diff       *DiffView // diff
	TerminalID string    // terminal
}

// DiffView is a diff in either dialect: v1 gives the texts before and after,
// v2 the changes and, if it likes, a patch.
type DiffView struct {
	Changes     []DiffChange // v1: one add or modify
	OldText     string       // v1
	NewText     string       // v1
	HasTexts    bool         // v1: OldText and NewText are meant
	Patch       string       // v2
	PatchFormat string       // v2: "git_patch" or a later value
}

// DiffChange is what happens to one file.
type DiffChange struct {
	Operation string // add, delete, modify, move, copy or a later value
	Path      string
	OldPath   string // move, copy
	FileType  string
}

// ViewToolContent looks at one entry of ToolCall.Content.
func ViewToolContent(entry json.RawMessage) ToolContentView {
	var none []Problem
	p, ok := readPayload(entry, "", &none)
	if !ok {
		return ToolContentView{}
	}
	v := ToolContentView{Type: p.see("type")}
	switch v.Type {
	case "content":
		block, _ := p.object("content")
		v.Block = ViewBlock(block)
	case "terminal":
		v.TerminalID = p.see("terminalId")
	case "diff":
		v.Diff = viewDiff(&p)
	}
	return v
}

func viewDiff(p *payload) *DiffView {
	d := &DiffView{}
	changes, is := p.array("changes")
	if is != given {
		old, before := p.text("oldText")
		d.OldText, d.NewText, d.HasTexts = old, p.see("newText"), true
		change := DiffChange{Operation: "modify", Path: p.see("path")}
		if before != given {
			change.Operation = "add"
		}
		d.Changes = []DiffChange{change}
		return d
	}
	for _, raw := range changes {
		c, _ := readPayload(raw, "", p.problems)
		d.Changes = append(d.Changes, DiffChange{c.see("operation"), c.see("path"), c.see("oldPath"), c.see("fileType")})
	}
	if raw, is := p.object("patch"); is == given {
		patch, _ := readPayload(raw, "", p.problems)
		d.Patch, d.PatchFormat = patch.see("text"), patch.see("format")
	}
	return d
}

// LocationView is a place in a file that a tool call touches.
type LocationView struct {
	Path string
	Line string // digits as they came, "" if none
}

// ViewLocation looks at one entry of ToolCall.Locations.
func ViewLocation(entry json.RawMessage) LocationView {
	var none []Problem
	p, _ := readPayload(entry, "", &none)
	return LocationView{p.see("path"), p.digits("line")}
}

// PlanView is a plan as a reader needs it.
type PlanView struct {
	Type    string          // items, file, markdown or a later type
	Entries []PlanEntryView // items
	URI     string          // file
	Content string          // markdown
}

// PlanEntryView is one entry of a plan.
type PlanEntryView struct{ Content, Priority, Status string }

// ViewPlan looks at Plan.Plan.
func ViewPlan(plan json.RawMessage) PlanView {
	var none []Problem
	p, _ := readPayload(plan, "", &none)
	v := PlanView{Type: p.see("type"), URI: p.see("uri"), Content: p.see("content")}
	entries, _ := p.array("entries")
	for _, raw := range entries {
		e, _ := readPayload(raw, "", &none)
		v.Entries = append(v.Entries, PlanEntryView{e.see("content"), e.see("priority"), e.see("status")})
	}
	return v
}
