package acp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTextBlock(t *testing.T) {
	b, err := TextBlock("a <b> & \"c\"\n")
	if err != nil || string(b) != `{"type":"text","text":"a <b> & \"c\"\n"}` {
		t.Errorf("got %s, %v", b, err)
	}
	var u *UsageError
	if _, err := TextBlock("\xff"); !errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
}

func TestP25AttachByCapability(t *testing.T) {
	path := writeFile(t, "a b.go", "package x\n")
	uri := FileURI(path)
	link := `{"type":"resource_link","uri":"` + uri + `","name":"a b.go","mimeType":"text/x-go","size":10}`
	embedded := `{"type":"resource","resource":{"uri":"` + uri + `","mimeType":"text/x-go","text":"package x\n"}}`
	tests := []struct {
		caps Capabilities
		want string
	}{
		{peer1(`{}`).Caps, link},
		{peer1(`{"promptCapabilities":{"embeddedContext":true}}`).Caps, embedded},
		{peer2(`{"session":{}}`).Caps, link},
		{peer2(`{"session":{"prompt":{"embeddedContext":{}}}}`).Caps, embedded},
	}
	for _, tt := range tests {
		got, err := tt.caps.AttachFile(path)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", tt.caps.Raw(), got, err, tt.want)
		}
	}
}

func TestAttachBinaryFile(t *testing.T) {
	path := writeFile(t, "x.bin", "\x00\x01")
	got, err := peer2(`{"session":{"prompt":{"embeddedContext":{}}}}`).Caps.AttachFile(path)
	if err != nil || !strings.Contains(string(got), `"blob":"AAE="`) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestAttachWhatCannotBeRead(t *testing.T) {
	for _, caps := range []string{`{}`, `{"promptCapabilities":{"embeddedContext":true}}`} {
		if _, err := peer1(caps).Caps.AttachFile(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: got %v", caps, err)
		}
	}
	dir := t.TempDir()
	if _, err := peer1(`{}`).Caps.AttachFile(dir); err != nil {
		t.Errorf("a directory cannot be linked: %v", err)
	}
	var u *UsageError
	if _, err := peer1(`{"promptCapabilities":{"embeddedContext":true}}`).Caps.AttachFile(dir); !errors.As(err, &u) {
		t.Errorf("a directory embedded: %v", err)
	}
}

func TestP25ImageAndAudioByCapability(t *testing.T) {
	image, sound := writeFile(t, "no-extension", png), writeFile(t, "a.mp3", "ID3\x03\x00")
	var u *UnsupportedError
	if _, err := peer2(`{"session":{}}`).Caps.ImageFile(image); !errors.As(err, &u) || u.Capability != "capabilities.session.prompt.image" {
		t.Errorf("got %v", err)
	}
	if _, err := peer1(`{}`).Caps.AudioFile(sound); !errors.As(err, &u) || u.Capability != "agentCapabilities.promptCapabilities.audio" {
		t.Errorf("got %v", err)
	}
	got, err := peer1(`{"promptCapabilities":{"image":true}}`).Caps.ImageFile(image)
	if err != nil || !strings.HasPrefix(string(got), `{"type":"image","mimeType":"image/png","data":"iVBORw`) {
		t.Errorf("got %s, %v", got, err)
	}
	got, err = peer2(`{"session":{"prompt":{"audio":{}}}}`).Caps.AudioFile(sound)
	if err != nil || !strings.HasPrefix(string(got), `{"type":"audio","mimeType":"audio/mpeg"`) {
		t.Errorf("got %s, %v", got, err)
	}
	var usage *UsageError
	if _, err := peer1(`{"promptCapabilities":{"image":true}}`).Caps.ImageFile(sound); !errors.As(err, &usage) {
		t.Errorf("a sound as image: %v", err)
	}
}

func TestP25CheckBlocks(t *testing.T) {
	all1 := `{"promptCapabilities":{"image":true,"audio":true,"embeddedContext":true}}`
	all2 := `{"session":{"prompt":{"image":{},"audio":{},"embeddedContext":{}}}}`
	blocks := []string{
		`{"type":"text","text":"a"}`, `{"type":"resource_link","name":"a","uri":"b"}`,
		`{"type":"image"}`, `{"type":"audio"}`, `{"type":"resource"}`, `{"type":"_x"}`, `{"type":"video"}`,
	}
	tests := []struct {
		caps Capabilities
		ok   string // one letter per block
	}{
		{peer1(`{}`).Caps, "yynnnnn"}, {peer1(all1).Caps, "yyyyynn"},
		{peer2(`{"session":{}}`).Caps, "yynnnyn"}, {peer2(all2).Caps, "yyyyyyn"},
	}
	for _, tt := range tests {
		for i, b := range blocks {
			err := tt.caps.CheckBlocks([]json.RawMessage{json.RawMessage(blocks[0]), json.RawMessage(b)})
			var u *UnsupportedError
			if want := tt.ok[i] == 'y'; (err == nil) != want || err != nil && !errors.As(err, &u) {
				t.Errorf("version %d, %s, block %s: %v", tt.caps.Version(), tt.caps.Raw(), b, err)
			}
		}
	}
}

func TestParseBlock(t *testing.T) {
	got, err := ParseBlock([]byte("\n {\"type\": \"text\",\n \"text\": \"a b\"} "))
	if err != nil || string(got) != `{"type":"text","text":"a b"}` {
		t.Errorf("got %s, %v", got, err)
	}
	for _, bad := range []string{
		``, `{`, `[]`, `{}`, `{"type":7}`, `{"type":"text"}`, `{"type":"text","text":null}`, `{"type":"image","data":"x"}`,
		`{"type":"resource_link","uri":"x"}`, `{"type":"resource","resource":"x"}`, "{\"type\":\"text\",\"text\":\"\xff\"}",
	} {
		var u *UsageError
		if _, err := ParseBlock([]byte(bad)); !errors.As(err, &u) {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}

func TestFileURI(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a/b.go": "file:///home/a/b.go", "/a b/ü#?%.txt": "file:///a%20b/%C3%BC%23%3F%25.txt", "C:/x/y": "file:///C:/x/y",
	} {
		if got := FileURI(path); got != want {
			t.Errorf("%s: got %s", path, got)
		}
	}
}
