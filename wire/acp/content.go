package acp

import "encoding/json"

// TextBlock is a text content block. Text that is not UTF-8 is a *UsageError.
func TextBlock(text string) (json.RawMessage, error) { return nil, usagef("not built yet") }

// AttachFile makes a block of a file: embedded where the agent takes embedded
// resources, else a link, which every agent takes.
func (c Capabilities) AttachFile(path string) (json.RawMessage, error) {
	return nil, usagef("not built yet")
}

// ImageFile makes an image block of a file; *UnsupportedError if the agent
// takes none.
func (c Capabilities) ImageFile(path string) (json.RawMessage, error) {
	return nil, usagef("not built yet")
}

// AudioFile is ImageFile for sound.
func (c Capabilities) AudioFile(path string) (json.RawMessage, error) {
	return nil, usagef("not built yet")
}

// ParseBlock checks a content block that the user wrote (--block).
func ParseBlock(raw []byte) (json.RawMessage, error) { return nil, usagef("not built yet") }

// CheckBlocks: "Clients MUST restrict types of content according to the Prompt
// Capabilities" (v2 prompt lifecycle). *UnsupportedError if a block may not be
// sent.
func (c Capabilities) CheckBlocks(blocks []json.RawMessage) error { return nil }
