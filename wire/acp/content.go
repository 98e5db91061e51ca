package acp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// TextBlock is a text content block. Text that is not UTF-8 is a *UsageError.
func TextBlock(text string) (json.RawMessage, error) {
	if !utf8.ValidString(text) {
		return nil, usagef("the prompt is not valid UTF-8")
	}
	return encode(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"text", text})
}

// encode marshals without turning <, > and & into escapes.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// AttachFile makes a block of a file: embedded where the agent takes embedded
// resources, else a link, which every agent takes.
func (c Capabilities) AttachFile(path string) (json.RawMessage, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if !c.PromptEmbedded() {
		return linkFile(abs)
	}
	data, err := readRegular(abs)
	if err != nil {
		return nil, err
	}
	type resource struct {
		URI      string  `json:"uri"`
		MimeType string  `json:"mimeType,omitempty"`
		Text     *string `json:"text,omitempty"`
		Blob     string  `json:"blob,omitempty"`
	}
	r := resource{URI: FileURI(abs), MimeType: mimeType(abs, data)}
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) {
		text := string(data)
		r.Text = &text
	} else {
		r.Blob = base64.StdEncoding.EncodeToString(data)
	}
	return encode(struct {
		Type     string   `json:"type"`
		Resource resource `json:"resource"`
	}{"resource", r})
}

// linkFile makes a resource link. The agent reads the file itself.
func linkFile(abs string) (json.RawMessage, error) {
	f, err := os.Open(abs)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	link := struct {
		Type     string `json:"type"`
		URI      string `json:"uri"`
		Name     string `json:"name"`
		MimeType string `json:"mimeType,omitempty"`
		Size     *int64 `json:"size,omitempty"`
	}{Type: "resource_link", URI: FileURI(abs), Name: filepath.Base(abs)}
	if info.Mode().IsRegular() {
		head := make([]byte, 512)
		n, err := io.ReadFull(f, head)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, err
		}
		size := info.Size()
		link.MimeType, link.Size = mimeType(abs, head[:n]), &size
	}
	return encode(link)
}

// ImageFile makes an image block of a file; *UnsupportedError if the agent
// takes none.
func (c Capabilities) ImageFile(path string) (json.RawMessage, error) {
	if !c.PromptImage() {
		return nil, c.noBlock("image")
	}
	return mediaFile("image", path)
}

// AudioFile is ImageFile for sound.
func (c Capabilities) AudioFile(path string) (json.RawMessage, error) {
	if !c.PromptAudio() {
		return nil, c.noBlock("audio")
	}
	return mediaFile("audio", path)
}

func mediaFile(kind, path string) (json.RawMessage, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	data, err := readRegular(abs)
	if err != nil {
		return nil, err
	}
	m := mimeType(abs, data)
	if !strings.HasPrefix(m, kind+"/") {
		return nil, usagef("%s is not known as %s (its type is %s)", path, kind, m)
	}
	return encode(struct {
		Type     string `json:"type"`
		MimeType string `json:"mimeType"`
		Data     string `json:"data"`
	}{kind, m, base64.StdEncoding.EncodeToString(data)})
}

// readRegular reads a whole regular file.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, usagef("%s is not a regular file", path)
	}
	return os.ReadFile(path)
}

// mimeType guesses a file's type by its content first, which cannot lie, and
// by its name where the content says no more than text or bytes.
func mimeType(path string, head []byte) string {
	sniffed, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch sniffed {
	case "text/plain", "application/octet-stream", "text/xml", "application/ogg":
	default:
		return sniffed
	}
	if named, known := namedType(filepath.Ext(path)); known {
		return named
	}
	return sniffed
}

// namedType is what an extension says. The common ones are here, since the
// system's table differs from machine to machine.
func namedType(ext string) (string, bool) {
	switch strings.ToLower(ext) {
	case ".go":
		return "text/x-go", true
	case ".py":
		return "text/x-python", true
	case ".rs":
		return "text/x-rust", true
	case ".c", ".h":
		return "text/x-c", true
	case ".ts", ".tsx":
		return "text/x-typescript", true
	case ".js", ".mjs":
		return "text/javascript", true
	case ".sh":
		return "text/x-shellscript", true
	case ".md":
		return "text/markdown", true
	case ".txt", ".log":
		return "text/plain", true
	case ".csv":
		return "text/csv", true
	case ".html", ".htm":
		return "text/html", true
	case ".css":
		return "text/css", true
	case ".json":
		return "application/json", true
	case ".yaml", ".yml":
		return "application/yaml", true
	case ".toml":
		return "application/toml", true
	case ".xml":
		return "application/xml", true
	case ".svg":
		return "image/svg+xml", true
	case ".ogg", ".oga", ".opus":
		return "audio/ogg", true
	case ".mp3":
		return "audio/mpeg", true
	case ".m4a":
		return "audio/mp4", true
	case ".flac":
		return "audio/flac", true
	}
	named, _, _ := strings.Cut(mime.TypeByExtension(ext), ";")
	return named, named != ""
}

// FileURI is the file URI of an absolute path, with Windows' drive letters and
// backslashes written as URIs want them.
func FileURI(abs string) string {
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// ParseBlock checks a content block that the user wrote (--block): an object
// with a type and, for the standard types, their required members.
func ParseBlock(raw []byte) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if !utf8.Valid(raw) {
		return nil, usagef("content block: not valid UTF-8")
	}
	if !json.Valid(raw) {
		var v any
		return nil, usagef("content block: not valid JSON: %v", json.Unmarshal(raw, &v))
	}
	o := asObject(raw)
	if o == nil {
		return nil, usagef("content block: not an object")
	}
	kind := str(o["type"])
	var need []string
	switch kind {
	case "":
		return nil, usagef("content block: no type")
	case "text":
		need = []string{"text"}
	case "image", "audio":
		need = []string{"data", "mimeType"}
	case "resource_link":
		need = []string{"name", "uri"}
	case "resource":
		if asObject(o["resource"]) == nil {
			return nil, usagef("content block: a resource needs the object resource")
		}
	}
	for _, name := range need {
		if v := o[name]; len(v) == 0 || v[0] != '"' {
			return nil, usagef("content block: type %s needs the string %s", kind, name)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// CheckBlocks: "Clients MUST restrict types of content according to the Prompt
// Capabilities" (v2 prompt lifecycle). *UnsupportedError if a block may not be
// sent. Types that begin with "_" pass in version 2, whose set is open.
func (c Capabilities) CheckBlocks(blocks []json.RawMessage) error {
	for _, b := range blocks {
		kind := str(asObject(b)["type"])
		ok := false
		switch kind {
		case "text", "resource_link":
			ok = true
		case "image":
			ok = c.PromptImage()
		case "audio":
			ok = c.PromptAudio()
		case "resource":
			ok = c.PromptEmbedded()
		default:
			if ok = c.version == V2 && strings.HasPrefix(kind, "_"); !ok {
				return &UnsupportedError{What: fmt.Sprintf("content block of type %q", kind), Protocol: c.version}
			}
		}
		if !ok {
			return c.noBlock(kind)
		}
	}
	return nil
}

// noBlock is the error for a kind of block that the agent did not advertise.
func (c Capabilities) noBlock(kind string) *UnsupportedError {
	what, name := "an "+kind+" in a prompt", kind
	if kind == "audio" {
		what = "audio in a prompt"
	}
	if kind == "resource" {
		what, name = "an embedded resource in a prompt", "embeddedContext"
	}
	marker := "agentCapabilities.promptCapabilities." + name
	if c.version == V2 {
		marker = "capabilities.session.prompt." + name
	}
	return &UnsupportedError{What: what, Capability: marker, Protocol: c.version}
}
