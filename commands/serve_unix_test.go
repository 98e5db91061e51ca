//go:build unix

package commands

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/acptool/acptool/wire/acp"
)

// A FIFO that nobody writes to must not hold the connection up.
func TestServedFilesAreRegular(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	m := serverFor(t, dir)
	if _, err := served(t, m, "fs/read_text_file", map[string]any{"path": fifo}); code(err) != acp.CodeInternal {
		t.Errorf("read: %v", err)
	}
	if _, err := served(t, m, "fs/write_text_file", map[string]any{"path": fifo, "content": "x"}); code(err) != acp.CodeInternal {
		t.Errorf("write: %v", err)
	}
}
