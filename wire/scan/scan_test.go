package scan

import (
	"encoding/json"
	"testing"
)

func TestTextDecodesAsEncodingJSONDoes(t *testing.T) {
	for _, s := range []string{
		`""`, `"a"`, `"\n\t\r\b\f\/\\\""`, `"\u00e9\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`,
		`"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, "\"\xff\xc3(\"", `"\u0000"`, "\"é\u2028\"",
	} {
		var want string
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if got := string(Text([]byte(s))); got != want {
			t.Errorf("Text(%s) = %q, want %q", s, got, want)
		}
	}
	if got := string(Bytes([]byte("\"\xff\\n\xc3(\""))); got != "\xff\n\xc3(" {
		t.Errorf("Bytes gives %q", got)
	}
	for _, s := range []string{``, `"`, `1`, `null`, `"a`} {
		if got := Bytes([]byte(s)); got != nil {
			t.Errorf("Bytes(%s) = %q, want nil", s, got)
		}
		if got := Text([]byte(s)); got != nil {
			t.Errorf("Text(%s) = %q, want nil", s, got)
		}
	}
}

func TestMemberAndPath(t *testing.T) {
	doc := []byte(`{"a":{"b":[1,{"c":2}],"b":"last"},"e\u0073c":true}`)
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"a", "b"}, `"last"`}, {[]string{"esc"}, `true`}, {[]string{"a", "x"}, ``}, {[]string{"esc", "x"}, ``},
	} {
		if got := string(Path(doc, c.keys...)); got != c.want {
			t.Errorf("Path(%v) = %q, want %q", c.keys, got, c.want)
		}
	}
}

func TestFirst(t *testing.T) {
	for doc, want := range map[string]string{`{"b":0,"a":1,"a":2}`: "1", `{"b":1}`: "", `[]`: "", `{"a":`: ""} {
		if got := string(First([]byte(doc), "a")); got != want {
			t.Errorf("First(%s) = %q, want %q", doc, got, want)
		}
	}
}

func TestPick(t *testing.T) {
	var out [3][]byte
	Pick([]byte(`{"a":1,"b":{"c":2},"a":3}`), out[:], "a", "x", "b")
	if string(out[0]) != "3" || out[1] != nil || string(out[2]) != `{"c":2}` {
		t.Errorf("%q", out)
	}
	if Pick([]byte(`7`), out[:], "a", "x", "b"); out[0] != nil {
		t.Errorf("%q in no object", out)
	}
}

func TestCursorWalksArrays(t *testing.T) {
	c := Cursor{B: []byte(` [ 1 , {"a":[2]} , "x" ] `)}
	var got []string
	for ok := c.Enter('['); ok && c.Next(); {
		got = append(got, string(c.Skip()))
	}
	if len(got) != 3 || got[1] != `{"a":[2]}` || c.Bad || c.At() != 0 {
		t.Errorf("got %q, bad %v", got, c.Bad)
	}
}

func FuzzValueEnds(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\\\"",{}],"b":null}`))
	f.Add([]byte(`"\`))
	f.Fuzz(func(t *testing.T, b []byte) {
		i := Space(b, 0)
		end := Value(b, i)
		if json.Valid(b) && Space(b, end) != len(b) {
			t.Fatalf("Value(%q) = %d", b, end)
		}
		if json.Valid(b) && b[i] == '"' {
			var want string
			if json.Unmarshal(b, &want) == nil && string(Text(b[i:end])) != want {
				t.Fatalf("Text(%q) = %q, want %q", b, Text(b[i:end]), want)
			}
		}
	})
}
