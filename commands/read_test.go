package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatHasNoEndIsNotReadToIt(t *testing.T) {
	t.Parallel()
	if text, err := readMost(strings.NewReader("abc"), 3); err != nil || string(text) != "abc" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := readMost(strings.NewReader("abcd"), 3); err == nil || text != nil || err.Error() != "there is no end within 3 bytes" {
		t.Errorf("%q, %v", text, err)
	}
	name := filepath.Join(t.TempDir(), "x")
	if _, err := readFile(name); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}
