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
func ViewBlock(block json.RawMessage) BlockView { return viewBlock(block) }

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
func ViewToolContent(entry json.RawMessage) ToolContentView { return viewToolContent(entry) }

// LocationView is a place in a file that a tool call touches.
type LocationView struct {
	Path string
	Line string // digits as they came, "" if none
}

// ViewLocation looks at one entry of ToolCall.Locations.
func ViewLocation(entry json.RawMessage) LocationView { return viewLocation(entry) }

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
func ViewPlan(plan json.RawMessage) PlanView { return viewPlan(plan) }

// PermissionView is a request for permission as a reader needs it.
type PermissionView struct {
	Title       string // v2; v1: the tool call's title
	Description string
	ToolCallID  string
	Command     string // v2: subject command
	Options     []PermissionOptionView
}

// PermissionOptionView is one answer that the user may pick.
type PermissionOptionView struct{ ID, Name, Kind string }

// ViewPermission looks at the params of session/request_permission.
func ViewPermission(request json.RawMessage) PermissionView { return viewPermission(request) }
