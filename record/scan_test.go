package record

import (
	"encoding/json"
	"strings"
	"testing"
)

var jsonSamples = []string{
	``, ` `, `{}`, `[]`, `{"a":1}`, ` {"a" : [1 , 2.5e-3, "x\n\u00e9"] } `, `{"a":1,}`, `[1,]`, `{"a"}`, `{a:1}`,
	`"`, `"\`, `"\u12"`, `"\u12g4"`, `"\x"`, "\"\x01\"", "\"\x7f\"", `"é😀"`, "\"\xff\"", `01`, `-`, `-0`, `1.`, `1.0e`,
	`1e+9`, `.5`, `tru`, `true`, `nul`, `null `, `{"a":{"b":[{},[],""]}}`, `[1 2]`, `{"a":1 "b":2}`, `{} {}`, "[1\v]",
	`"12345678\"90"`, `"1234567\\"`, `"1234567890123456`, `{"a":"b\/c"}`,
	strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
	strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
}

func TestValidJSONAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range jsonSamples {
		if got, want := validJSON([]byte(s)), json.Valid([]byte(s)); got != want {
			t.Errorf("validJSON(%.40q) = %v, encoding/json says %v", s, got, want)
		}
	}
}

func TestUnquoteAgreesWithEncodingJSON(t *testing.T) {
	for _, s := range []string{`""`, `"plain"`, `"a\nb\t\"\\\/\b\f\r"`, `"\u00e9\ud83d\ude00"`, `"\ud83d"`, `"\ude00x"`, `"\ud83d\u0041"`, `"é\u0000"`} {
		var want string
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		if got := string(unquote([]byte(s))); got != want {
			t.Errorf("unquote(%s) = %q, want %q", s, got, want)
		}
	}
}

func FuzzValidJSON(f *testing.F) {
	for _, s := range jsonSamples {
		if len(s) < 1000 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := validJSON(b), json.Valid(b); got != want {
			t.Fatalf("validJSON = %v, encoding/json says %v", got, want)
		}
		var want string
		if json.Unmarshal(b, &want) != nil {
			return
		}
		i := skipSpace(b, 0)
		end, _ := skipValue(b, i, 0)
		if i < len(b) && b[i] == '"' {
			// encoding/json replaces invalid UTF-8; a frame has none.
			if got := strings.ToValidUTF8(string(unquote(b[i:end])), "\ufffd"); strings.ToValidUTF8(want, "\ufffd") != got && !strings.Contains(want, "\ufffd") {
				t.Fatalf("unquote = %q, want %q", got, want)
			}
		}
	})
}

func BenchmarkValidJSON(b *testing.B) {
	line := []byte(sampleChunk)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if !validJSON(line) {
			b.Fatal("not valid")
		}
	}
}

// sampleChunk is an ordinary frame.
const sampleChunk = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess-0b1f3a52","update":{"sessionUpdate":"agent_message_chunk","messageId":"m-17","content":{"type":"text","text":"The second file holds the parser; it reads one line after the other and keeps a small table."}}}}`

// A text cut off anywhere is told from one that is wrong.
func TestCutOffJSONIsTold(t *testing.T) {
	whole := []byte(`{"a":[1.5e3,-0,"x\n\u00e9\"y",true,false,null,{}],"é":{"b":[]}}`)
	for n := range whole {
		if end, ok := skipValue(whole[:n], 0, 0); ok || end < n {
			t.Errorf("%q: ends at %d, ok %v", whole[:n], end, ok)
		}
	}
	for _, wrong := range []string{`{"a" 1`, `{"a":x`, `[1 2`, `tra`, `"\q`, `"\u00g`, `{1`, `[}`, "\"\n", `1.x`} {
		if end, ok := skipValue([]byte(wrong), 0, 0); ok && end == len(wrong) || !ok && end == len(wrong) {
			t.Errorf("%q is taken for a beginning", wrong)
		}
	}
}
