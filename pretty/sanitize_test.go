package pretty

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire/scan"
)

func TestSanitize(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"é ü 漢字 😀", "é ü 漢字 😀"},
		{"שלום \u200f", "שלום \u200f"}, // marks of right-to-left text are no overrides
		{"a\x1b[31mb", `a\e[31mb`},
		{"\x00\x07\x08\x7f", `\x00\x07\x08\x7f`},
		{"a\rb", `a\rb`},
		{"\u0080\u009b", `\u0080\u009b`},
		{"\u202a\u202e\u2066\u2069", `\u202a\u202e\u2066\u2069`},
		{"\x9b31m\xff", `\x9b31m\xff`},
		{"\xe2\x82", `\xe2\x82`},
	} {
		if got := Sanitize(c.in); got != c.want {
			t.Errorf("%q gives %q, want %q", c.in, got, c.want)
		}
	}
}

// However text is cut into writes, it comes out the same.
func TestSanitizerPutsCharactersTogether(t *testing.T) {
	text := []byte("aé漢😀\u202e\x1b[0m\u009b\xff\xe2\x82z\xf0\x9f")
	want := Sanitize(string(text))
	for size := 1; size < 7; size++ {
		var b bytes.Buffer
		w := NewSanitizer(&b)
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			if m, err := w.Write(rest[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		w.Close()
		if b.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", size, b.String(), want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	f.Add([]byte("a\x1b[31m\u202e\x9b"), 2)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		got := AppendSanitized(nil, text)
		if !utf8.Valid(got) {
			t.Fatalf("%q is no UTF-8", got)
		}
		for _, r := range string(got) {
			if unsafeRune(r) {
				t.Fatalf("%q holds %q", got, r)
			}
		}
		if cut = max(cut, 0) % (len(text) + 1); cut > 0 {
			var b bytes.Buffer
			w := NewSanitizer(&b)
			w.Write(text[:cut])
			w.Write(text[cut:])
			w.Close()
			if !bytes.Equal(b.Bytes(), got) {
				t.Fatalf("in two pieces %q, whole %q", b.Bytes(), got)
			}
		}
		var c clip
		c.start(nil, 20)
		c.text(text)
		if n := utf8.RuneCount(c.dst); n > 20 && !strings.ContainsFunc(string(c.dst), func(r rune) bool { return columnsOf(r) == 0 }) {
			t.Fatalf("%d columns: %q", n, c.dst)
		}
	})
}

// A clip of a JSON string is a clip of its text, wherever pieces are cut.
func FuzzClipJSON(f *testing.F) {
	f.Add(strings.Repeat(`é\"\\`, 200), 300)
	f.Add(strings.Repeat("😀", 400), 900)
	f.Fuzz(func(t *testing.T, text string, columns int) {
		text = strings.ToValidUTF8(text, "\ufffd")
		columns = max(columns, 1) % 2000
		halves := append(append([]byte{'"'}, strings.Repeat(`x\ud83d\ud83d\ude00\udc00`, len(text)%40)...), marshalEscaped(text)[1:]...)
		for _, raw := range [][]byte{marshalPlain(t, text), marshalEscaped(text), halves} {
			var a, b clip
			a.start(nil, columns)
			a.text(scan.Text(raw))
			b.start(nil, columns)
			b.json(raw)
			if !bytes.Equal(a.dst, b.dst) {
				t.Fatalf("%q\ntext gives %q\njson gives %q", raw, a.dst, b.dst)
			}
		}
	})
}

func marshalPlain(t *testing.T, text string) []byte {
	raw, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// marshalEscaped spells every character as \u escapes.
func marshalEscaped(text string) []byte {
	out := []byte{'"'}
	for _, r := range text {
		if r > 0xffff {
			r -= 0x10000
			out = appendHex(append(out, `\u`...), uint32(0xd800+r>>10), 4)
			r = 0xdc00 + r&0x3ff
		}
		out = appendHex(append(out, `\u`...), uint32(r), 4)
	}
	return append(out, '"')
}

func TestWriteJSON(t *testing.T) {
	type result struct {
		Raw json.RawMessage `json:"raw"`
		N   json.Number     `json:"n"`
		S   string          `json:"s"`
	}
	v := result{json.RawMessage(`{"z":1.50,"a":12345678901234567890}`), "1e400", "<\x1b\u009b\u202e>"}
	for _, c := range []struct {
		name string
		s    Screen
		want string
	}{
		{"pipe", Screen{}, "{\"raw\":{\"z\":1.50,\"a\":12345678901234567890},\"n\":1e400,\"s\":\"<\\u001b\u009b\u202e>\"}\n"},
		{"terminal", Screen{Terminal: true}, "{\n  \"raw\": {\n    \"z\": 1.50,\n    \"a\": 12345678901234567890\n  },\n  \"n\": 1e400,\n  \"s\": \"<\\u001b\\u009b\\u202e>\"\n}\n"},
	} {
		var b bytes.Buffer
		if err := WriteJSON(&b, c.s, v); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
		}
	}
}

func FuzzJSONStyle(f *testing.F) {
	for _, d := range filterDocs {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		compact := newJSONStyle(Screen{}, true).append(nil, doc)
		pretty := newJSONStyle(Screen{Terminal: true}, false).append(nil, doc)
		if !json.Valid(doc) {
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, doc); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(compact, want.Bytes()) {
			t.Fatalf("%q gives %q, want %q", doc, compact, want.Bytes())
		}
		if got, want := string(appendValue(nil, decodeAll(pretty))), string(appendValue(nil, decodeAll(doc))); got != want {
			t.Fatalf("%q says something else when indented: %q", doc, pretty)
		}
	})
}

func TestColourChoice(t *testing.T) {
	env := func(pairs ...string) func(string) (string, bool) {
		return func(key string) (string, bool) {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == key {
					return pairs[i+1], true
				}
			}
			return "", false
		}
	}
	for _, c := range []struct {
		name     string
		terminal bool
		choice   ColourChoice
		env      func(string) (string, bool)
		want     bool
	}{
		{"terminal", true, ColourAuto, env(), true},
		{"pipe", false, ColourAuto, env(), false},
		{"always", false, ColourAlways, env("NO_COLOR", "1"), true},
		{"never", true, ColourNever, env("CLICOLOR_FORCE", "1"), false},
		{"NO_COLOR", true, ColourAuto, env("NO_COLOR", "1", "CLICOLOR_FORCE", "1"), false},
		{"empty NO_COLOR", true, ColourAuto, env("NO_COLOR", ""), true},
		{"CLICOLOR_FORCE", false, ColourAuto, env("CLICOLOR_FORCE", "1"), true},
		{"CLICOLOR_FORCE=0", false, ColourAuto, env("CLICOLOR_FORCE", "0"), false},
		{"dumb", true, ColourAuto, env("TERM", "dumb"), false},
	} {
		if got := wantsColour(c.terminal, c.choice, c.env); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, s := range []string{"", "auto", "always", "never"} {
		if _, err := ParseColourChoice(s); err != nil {
			t.Error(err)
		}
	}
	if _, err := ParseColourChoice("sometimes"); err == nil {
		t.Error("sometimes is accepted")
	}
	if p := NewPalette(false).Bad.Of("x"); p != "x" {
		t.Errorf("%q without colour", p)
	}
	if p := NewPalette(true).Bad.Of("x"); p != "\x1b[31mx\x1b[0m" && !strings.HasPrefix(p, "\x1b[31mx") {
		t.Errorf("%q with colour", p)
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"*", "", true}, {"", "", true}, {"", "a", false}, {"session/*", "session/update", true}, {"session/*", "sessions", false},
		{"*update*", "session/update", true}, {"tool_call?*", "tool_call", false}, {"tool_call*", "tool_call", true},
		{"a*b*c", "a1b2b3c", true}, {"a*b*c", "a1b2", false}, {"fs/?ead*", "fs/read_text_file", true},
	} {
		if got := glob(c.pattern, c.s); got != c.want {
			t.Errorf("glob(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}

func TestUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 123456: "123 kB", 999949: "1.0 MB", 1 << 40: "1100 GB"} {
		if got := string(appendSize(nil, n)); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for ms, want := range map[float64]string{0.4: "0.4 ms", 120: "120 ms", 1200: "1.20 s", 59999: "1m00s", 123000: "2m03s", 7300000: "2h01m"} {
		if got := string(appendDuration(nil, time.Duration(ms*float64(time.Millisecond)))); got != want {
			t.Errorf("%v ms: %q, want %q", ms, got, want)
		}
	}
}
