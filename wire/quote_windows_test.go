package wire

import (
	"slices"
	"testing"

	"golang.org/x/sys/windows"
)

// TestQuoteIsReadBack: programs must get the words that were quoted.
func TestQuoteIsReadBack(t *testing.T) {
	words := []string{
		`C:\Program Files\agent.exe`, "--acp", "", "two words", `a"b`, `a\"b`, `ends in\`, `C:\`, `a b\\`, `"`, `\\host\share`, "a&b", "it's",
	}
	got, err := windows.DecomposeCommandLine(QuoteLine(words))
	if err != nil || !slices.Equal(got, words) {
		t.Errorf("got  %q, %v\nwant %q", got, err, words)
	}
	if got := Quote(`C:\agents\one.exe`); got != `C:\agents\one.exe` {
		t.Errorf("a path without spaces became %s", got)
	}
}
