package scan

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzUnquoted: it is AppendText's text.
func FuzzUnquoted(f *testing.F) {
	for _, s := range []string{``, `a`, `\n`, `a\`, `\u12`, `\u12G4x`, `\ud83d\ude00`, `\ud83d`, `x\ud83d\u0041y`, "\xff\\n\xc3(", "\\\xb1", `\é`, `é\u00e9`} {
		f.Add([]byte(s), uint8(1))
		f.Add([]byte(s), uint8(20))
	}
	f.Fuzz(func(t *testing.T, s []byte, times uint8) {
		s = []byte(strings.Repeat(string(s), int(times)))
		if got, want := Unquoted(s), string(AppendText(nil, s)); got != want {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
		s = bytes.Repeat(s, pieceSize/16)
		var got []byte
		for p := range Pieces(s) {
			if !utf8.Valid(p) || len(p) == 0 {
				t.Fatalf("a piece of %d bytes", len(p))
			}
			got = append(got, p...)
		}
		if want := AppendText(nil, s); !bytes.Equal(got, want) {
			t.Fatalf("pieces of %q are not its text", s)
		}
	})
}

func TestUnquotedIsOneAllocation(t *testing.T) {
	for _, s := range []string{"a text without escapes that is longer than a few bytes", `one \"with\" some\n\u00e9scapes \ud83d\ude00 in it`} {
		if n := testing.AllocsPerRun(100, func() { Unquoted([]byte(s)) }); n > 2 { // one is the argument
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}

func TestPiecesStaySmall(t *testing.T) {
	for _, unit := range []string{"a", `\n`, `\u4e2d`, `\ud83d\ude00`, `plain \"and\" not `} {
		for p := range Pieces([]byte(strings.Repeat(unit, 10*pieceSize))) {
			if len(p) > pieceSize+64 {
				t.Errorf("%s: a piece of %d bytes", unit, len(p))
			}
		}
	}
}
