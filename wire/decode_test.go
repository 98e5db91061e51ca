package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestParseTellsKindsApart(t *testing.T) {
	for raw, want := range map[string]Message{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1]}}`: {ID: "1", Method: "m", Params: []byte(`{"a":[1]}`)},
		`{"jsonrpc":"2.0","method":"m"}`:                           {Method: "m"},
		`{"jsonrpc":"2.0","id":"1","result":null}`:                 {ID: `"1"`, Result: []byte(`null`)},
		`{"jsonrpc":"2.0","id":1.0,"result":{}}`:                   {ID: `1.0`, Result: []byte(`{}`)},
		`{"id":123456789012345678901,"error":{},"jsonrpc":"2.0"}`:  {ID: `123456789012345678901`, Error: []byte(`{}`)},
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`:      {ID: `null`, Error: []byte(`{"code":-32700}`)},
		`{"jsonrpc":"2.0","id":0,"method":"m","params":1.50}`:      {ID: "0", Method: "m", Params: []byte(`1.50`)},
		`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`:        {ID: "1", Result: []byte(`{}`)},
		`{"jsonrpc":"2.0","id":1,"result":null,"error":null}`:      {ID: "1", Result: []byte(`null`)},
		`{"jsonrpc":"2.0","id":1,"result":null,"error":{}}`:        {ID: "1", Error: []byte(`{}`)},
		` { "json\u0072pc" : "\u0032.0" , "method" : "\u006d" } `:  {Method: "m"},
		`{"jsonrpc":"2.0","method":"a","method":"b"}`:              {Method: "b"},
		`{"jsonrpc":"2.0","method":"m","Params":1,"_meta":{}}`:     {Method: "m"},
	} {
		got, err := Parse([]byte(raw))
		if err != nil {
			t.Errorf("Parse(%s): %v", raw, err)
			continue
		}
		if string(got.Raw) != strings.TrimSpace(raw) {
			t.Errorf("Parse(%s): raw is %s", raw, got.Raw)
		}
		if got.ID != want.ID || got.Method != want.Method || !bytes.Equal(got.Params, want.Params) ||
			!bytes.Equal(got.Result, want.Result) || !bytes.Equal(got.Error, want.Error) || got.Kind() != want.Kind() {
			t.Errorf("Parse(%s) = %+v, want %+v", raw, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for raw, want := range map[string]error{
		``:                                 errNotJSON,
		`{`:                                errNotJSON,
		`{"jsonrpc":"2.0","method":"m"`:    errNotJSON,
		`{"jsonrpc":"2.0","method":"m"} x`: errNotJSON,
		`{"jsonrpc":"2.0","method":"m","params":tru}`:      errNotJSON,
		`{"jsonrpc":"2.0",}`:                               errNotJSON,
		`{"jsonrpc" "2.0"}`:                                errNotJSON,
		`42`:                                               errNotObject,
		`"ready"`:                                          errNotObject,
		`[]`:                                               errNotObject,
		`{}`:                                               errVersion,
		`{"level":"info","id":1,"msg":"x"}`:                errVersion,
		`{"jsonrpc":2.0,"method":"m"}`:                     errVersion,
		`{"jsonrpc":"1.0","method":"m"}`:                   errVersion,
		`{"jsonrpc":"2.0","method":1}`:                     errMethod,
		`{"jsonrpc":"2.0","method":""}`:                    errMethod,
		`{"jsonrpc":"2.0","id":{},"method":"m"}`:           errID,
		`{"jsonrpc":"2.0","id":true,"result":1}`:           errID,
		`{"jsonrpc":"2.0"}`:                                errShape,
		`{"jsonrpc":"2.0","id":1}`:                         errShape,
		`{"jsonrpc":"2.0","result":1}`:                     errShape,
		`{"jsonrpc":"2.0","id":1,"result":1,"error":{}}`:   errShape,
		`{"jsonrpc":"2.0","id":1,"method":"m","result":1}`: errShape,
	} {
		if m, err := Parse([]byte(raw)); err != want || m.Raw != nil {
			t.Errorf("Parse(%s) = %+v, %v, want %v", raw, m, err, want)
		}
	}
}

const (
	note = `{"jsonrpc":"2.0","method":"n","params":{"t":"}{"}}`
	resp = `{"jsonrpc":"2.0","id":7,"result":{}}`
)

func TestDecodeFindsMessages(t *testing.T) {
	for line, want := range map[string]struct {
		raw   []string
		noise string
	}{
		note:                                    {[]string{note}, ""},
		"\ufeff" + note + "\r":                  {[]string{note}, ""},
		"  " + note + "\t":                      {[]string{note}, ""},
		"[" + note + " , " + resp + "]":         {[]string{note, resp}, ""},
		note + resp:                             {[]string{note, resp}, ""},
		note + " " + resp + resp:                {[]string{note, resp, resp}, ""},
		"\x1b[?25h\x1b[0m" + note:               {[]string{note}, "\x1b[?25h\x1b[0m"},
		"\x1b]0;a title\x07" + note:             {[]string{note}, "\x1b]0;a title\x07"},
		"\x1b]8;;http://x\x1b\\" + note:         {[]string{note}, "\x1b]8;;http://x\x1b\\"},
		note + "\x1b[0m":                        {[]string{note}, ""},
		"> " + note:                             {[]string{note}, "> "},
		"gemini>" + note:                        {[]string{note}, "gemini>"},
		"me@host:~$ " + note:                    {[]string{note}, "me@host:~$ "},
		"Loading... " + note:                    {[]string{note}, "Loading... "},
		"toy agent v0" + note:                   {[]string{note}, "toy agent v0"},
		"loaded 3 {ok}" + note + resp:           {[]string{note, resp}, "loaded 3 {ok}"},
		`{"level":"info"}` + note:               {[]string{note}, `{"level":"info"}`},
		note[:20] + note:                        {[]string{note}, note[:20]},
		"50 % of it\r" + note:                   {[]string{note}, "50 % of it\r"},
		"working |\b/\b" + "done!\n"[:5] + note: {[]string{note}, "working |\b/\bdone!"},
	} {
		d := Decode([]byte(line))
		if len(d.Messages) != len(want.raw) || d.Err != nil || string(d.Noise) != want.noise {
			t.Errorf("Decode(%q) = %d messages, noise %q, %v; want %d, %q", line, len(d.Messages), d.Noise, d.Err, len(want.raw), want.noise)
			continue
		}
		for i, m := range d.Messages {
			if string(m.Raw) != want.raw[i] || m.Kind() == KindInvalid {
				t.Errorf("Decode(%q): message %d is %q", line, i, m.Raw)
			}
		}
		if d.Batch != strings.HasPrefix(line, "[") || d.Dug != (want.noise != "" || len(want.raw) > 1 && !d.Batch || strings.HasSuffix(line, "\x1b[0m")) {
			t.Errorf("Decode(%q): batch %v, dug %v", line, d.Batch, d.Dug)
		}
	}
}

func TestDecodeFindsNoise(t *testing.T) {
	for _, line := range []string{
		"Booting toy agent v0", "42", `"ready"`, "null", "true", "[]", "[1,2]", "[" + `{"level":"info"}` + "]",
		`{"level":"info","id":1,"msg":"NOISE"}`, "Content-Length: 120", "{", "}", `{"jsonrpc":"2.0",`, "\xff\xfe", "\x00",
		// Logs that quote frames.
		"sent: " + note, "-> " + note, "<- " + note, ">>> " + note, "recv=" + note, "DEBUG received " + note, "[12:00:01] " + note,
		"[out]" + note, `"` + note, `{"msg":"` + note, "'" + note + "'", "read " + note + " from the client", note + " sent", note + `"`,
		`{"frame":` + note + `}`, `{"frame":` + note + `} x`, `x{"jsonrpc":"2.0","id":1}`,
	} {
		d := Decode([]byte(line))
		if len(d.Messages) != 0 || string(d.Noise) != line || d.Err == nil || d.Batch || d.Dug {
			t.Errorf("Decode(%q) = %+v", line, d)
		}
	}
}

func TestDecodeBlankIsNothing(t *testing.T) {
	for _, line := range []string{"", " ", "\r", "\t \r", "\ufeff"} {
		if d := Decode([]byte(line)); len(d.Messages) != 0 || d.Noise != nil || d.Err != nil {
			t.Errorf("Decode(%q) = %+v", line, d)
		}
	}
}

func TestDecodeBatchWithBadMembers(t *testing.T) {
	d := Decode([]byte(`[1,` + resp + `,{"jsonrpc":"2.0"}]`))
	if !d.Batch || len(d.Messages) != 1 || d.Err == nil || d.Noise != nil {
		t.Errorf("got %+v", d)
	}
}

func TestDecodeMalformedResponse(t *testing.T) {
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":3}`:                          true,
		`{"jsonrpc":"2.0","id":3,"result":{},"error":{}}`:   true,
		`{"id":3,"result":{},"error":{}}`:                   false,
		`{"jsonrpc":"2.0","id":3,"method":"m","result":{}}`: false,
		`{"jsonrpc":"2.0","id":null}`:                       false,
		`{"level":"info","id":3}`:                           false,
	} {
		d := Decode([]byte(line))
		if (d.Malformed != nil) != want || string(d.Noise) != line {
			t.Errorf("Decode(%s) = %+v", line, d)
		}
		if want && d.Malformed.ID != "3" {
			t.Errorf("Decode(%s): id %s", line, d.Malformed.ID)
		}
	}
}

// A line that is full of beginnings must not take long: time that grows with
// the square of its length would be hours here.
func TestDecodeOfManyBeginningsEnds(t *testing.T) {
	for _, piece := range []string{`{`, `{"a":[`, `{"a":1} `, `{"jsonrpc":"2.0","method":"`, `{"jsonrpc":"2.0","method":"m"}, `} {
		line := []byte(`"jsonrpc"` + strings.Repeat(piece, 1<<20/len(piece)))
		if d := Decode(line); len(d.Messages) != 0 || len(d.Noise) != len(line) {
			t.Errorf("%q: %d messages", piece, len(d.Messages))
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{note, resp, note + resp, "> " + note, "sent: " + note, "[" + note + "," + resp + ",1]", "\ufeff" + note + "\r",
		`{"jsonrpc":"2.0","id":1}`, "noise", "", `{"a":{"jsonrpc":"2.0"`, "\x1b]0;t\x07" + note, `[`, `{"jsonrpc":"2.0","method":"\ud800"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		d := Decode(line)
		for _, m := range d.Messages {
			if !json.Valid(m.Raw) || m.Kind() == KindInvalid || !bytes.Contains(line, m.Raw) {
				t.Fatalf("Decode(%q): message %q", line, m.Raw)
			}
			again, err := Parse(m.Raw)
			if err != nil || again.ID != m.ID || again.Method != m.Method {
				t.Fatalf("Decode(%q): Parse(%q) = %+v, %v", line, m.Raw, again, err)
			}
			if !bytes.Equal(again.Params, m.Params) || !bytes.Equal(again.Result, m.Result) || !bytes.Equal(again.Error, m.Error) {
				t.Fatalf("Decode(%q): members differ: %+v, %+v", line, again, m)
			}
		}
		if len(d.Messages) == 0 && len(trim(line)) > 0 && !bytes.Equal(d.Noise, line) {
			t.Fatalf("Decode(%q) lost the line: %+v", line, d)
		}
		if m, err := Parse(line); err == nil && (len(d.Messages) != 1 || !bytes.Equal(d.Messages[0].Raw, m.Raw) || d.Dug) {
			t.Fatalf("Decode(%q) = %+v, but it is a message", line, d)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello, world"}}}}`)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		Decode(line)
	}
}
