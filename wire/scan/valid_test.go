package scan

import (
	"encoding/json"
	"strings"
	"testing"
)

var validSeeds = []string{
	``, ` `, `{}`, `[]`, ` { } `, `[1,2]`, `[1,]`, `[,1]`, `{"a":1,}`, `{"a" 1}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`,
	`{"a":{"b":[{"c":[[]]}]}}`, `[}`, `{]`, `[1}`, `{"a":1]`, `]`, `}`, `[[[`, `{"a":[`, `null`, `nul`, `nulll`, `true false`,
	`0`, `-0`, `01`, `-`, `1.`, `.5`, `1.5e+3`, `1e`, `1e-`, `1E5`, `12345678901234567890`, `+1`, `--1`,
	`""`, `"`, `"abcdefgh`, `"abcdefgh"`, `"abcdefghi\n"`, `"\u00e9"`, `"\u00g9"`, `"\x"`, `"\`, `"\u12"`, "\"tab\there\"", "\"a\x1fbcdefgh\"",
	"\"\x7f\x80\xff padding\"", "\"\u2028 and more of it\"", `"quote at eight"x`, `{"a":"` + strings.Repeat("é", 40) + `"}`,
	strings.Repeat("[", 200) + strings.Repeat("]", 200), `["\""]`, `"\\"`, `"\\\"`, "\ufeff{}", "\v1", "[1\x00]",
}

func TestValidAgreesWithJSON(t *testing.T) {
	seeds := append([]string{
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth),
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
	}, validSeeds...)
	for _, s := range seeds {
		if got, want := IsValid([]byte(s)), json.Valid([]byte(s)); got != want {
			t.Errorf("IsValid(%.60q) = %v, json.Valid says %v", s, got, want)
		}
	}
}

func TestValidStopsBehindTheValue(t *testing.T) {
	for s, want := range map[string]int{
		`{"a":1}{"b":2}`: 7, `  "x" y`: 5, `12 `: 2, `[1] ]`: 3, `truex`: 4, `00`: 1,
	} {
		if got := Valid([]byte(s), 0); got != want {
			t.Errorf("Valid(%q) = %d, want %d", s, got, want)
		}
	}
}

// A text cut off anywhere is told from one that is wrong.
func TestCutOffJSONIsTold(t *testing.T) {
	whole := []byte(`{"a":[1.5e3,-0,"x\n\u00e9\"y",true,false,null,{}],"é":{"b":[]}}`)
	for n := range whole {
		if end, ok := Check(whole[:n], 0, 0); ok || end < n {
			t.Errorf("%q: ends at %d, ok %v", whole[:n], end, ok)
		}
	}
	for _, wrong := range []string{`{"a" 1`, `{"a":x`, `[1 2`, `tra`, `"\q`, `"\u00g`, `{1`, `[}`, "\"\n", `1.x`} {
		if end, ok := Check([]byte(wrong), 0, 0); ok && end == len(wrong) || !ok && end == len(wrong) {
			t.Errorf("%q is taken for a beginning", wrong)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range validSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := IsValid(b), json.Valid(b); got != want {
			t.Fatalf("IsValid(%q) = %v, json.Valid says %v", b, got, want)
		}
	})
}

func BenchmarkValid(b *testing.B) {
	for name, s := range map[string]string{
		"short": `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello, world"}}}}`,
		"long":  `{"text":"` + strings.Repeat("abcdefgh ijklm", 10000) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				if !IsValid([]byte(s)) {
					b.Fatal("not valid")
				}
			}
		})
	}
}
