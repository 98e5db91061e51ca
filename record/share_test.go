package record

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRedactJQPaths(t *testing.T) {
	for _, c := range []struct{ paths, in, want, ptrs string }{
		{".params.prompt[].text", `{"params":{"prompt":[{"type":"text","text":"a"},{"type":"x"},{"text":7}]}}`, `{"params":{"prompt":[{"type":"text","text":"[redacted]"},{"type":"x"},{"text":7}]}}`, "/params/prompt/0/text"},
		{".params", `{"params":{"a":"b","c":[1,"d",{"e":"f"}]},"x":"y"}`, `{"params":{"a":"[redacted]","c":[1,"[redacted]",{"e":"[redacted]"}]},"x":"y"}`, "/params/a /params/c/1 /params/c/2/e"},
		{`..|select(type=="object")|.["a/b~c"]?`, `{"a/b~c":"x"}`, `{"a/b~c":"[redacted]"}`, "/a~1b~0c"},
		{".params.x.y", `{"params":{"x":"string"}}`, "", ""},
		{".a", `[{"a":"1"},{"a":"2"}]`, `[{"a":"[redacted]"},{"a":"[redacted]"}]`, "/0/a /1/a"},
		{".result # with a comment", `{"result":"r"}`, `{"result":"[redacted]"}`, "/result"},
	} {
		r := newTestRedactor(t, RedactOptions{Paths: []string{c.paths}})
		if c.want == "" {
			c.want = c.in
		}
		out, ptrs := r.Line([]byte(c.in))
		if string(out) != c.want || strings.Join(ptrs, " ") != c.ptrs {
			t.Errorf("%s: %s %q", c.paths, out, ptrs)
		}
	}
	var bad *OptionError
	for _, o := range []RedactOptions{{Paths: []string{".a["}}, {Paths: []string{"nofunction(1)"}}, {Share: []string{"names"}}} {
		if _, err := NewRedactor(o); !errors.As(err, &bad) {
			t.Errorf("%v: %v", o, err)
		}
	}
}

func TestParseRedact(t *testing.T) {
	got := ParseRedact([]string{"paths,ids", ".a,.b", "text", "paths"})
	want := RedactOptions{Share: []string{"paths", "ids", "text", "paths"}, Paths: []string{".a,.b"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func shared(t *testing.T, kinds string, frames ...string) string {
	t.Helper()
	r := newTestRedactor(t, RedactOptions{Share: strings.Split(kinds, ",")})
	var out []string
	for _, f := range frames {
		b, _ := r.Line([]byte(f))
		out = append(out, string(b))
	}
	return strings.Join(out, "\n")
}

func TestShareIDs(t *testing.T) {
	got := shared(t, "ids",
		`{"jsonrpc":"2.0","id":"req-12345678","method":"session/prompt","params":{"sessionId":"0199-aaaa-bbbb","modeId":"plan","n":1}}`,
		`{"method":"session/update","params":{"sessionId":"0199-aaaa-bbbb","update":{"toolCallId":"call-000001","title":"see 0199-aaaa-bbbb."}}}`,
		`{"method":"x","params":{"sessionId":"0199-cccc-dddd","childSessionId":"0199-aaaa-bbbb","toolCallId":"call-000001"}}`,
		`{"id":"req-12345678","error":{"code":-32002,"message":"unknown session 0199-cccc-dddd","data":{"uri":"0199-cccc-dddd","sessionId":""}}}`)
	want := `{"jsonrpc":"2.0","id":"req-12345678","method":"session/prompt","params":{"sessionId":"session-1","modeId":"plan","n":1}}
{"method":"session/update","params":{"sessionId":"session-1","update":{"toolCallId":"toolCall-1","title":"see session-1."}}}
{"method":"x","params":{"sessionId":"session-2","childSessionId":"session-1","toolCallId":"toolCall-1"}}
{"id":"req-12345678","error":{"code":-32002,"message":"unknown session session-2","data":{"uri":"session-2","sessionId":""}}}`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSharePaths(t *testing.T) {
	got := shared(t, "paths",
		`{"method":"session/new","params":{"cwd":"/home/ann/work/app","additionalDirectories":["/srv/lib"]}}`,
		`{"params":{"path":"/home/ann/work/app/src/a.go","uri":"file:///home/ann/work/app/b","text":"in /home/ann/work/app2/x.go and /usr/bin/go, see https://host/a/b/c, and/or","other":"/srv/lib/z"}}`,
		`{"params":{"text":"again /home/ann/work/app2/x.go: done"}}`)
	want := `{"method":"session/new","params":{"cwd":"/workspace","additionalDirectories":["/workspace-2"]}}
{"params":{"path":"/workspace/src/a.go","uri":"file:///workspace/b","text":"in /path-1.go and /usr/bin/go, see https://host/a/b/c, and/or","other":"/workspace-2/z"}}
{"params":{"text":"again /path-1.go: done"}}`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestShareText(t *testing.T) {
	got := shared(t, "text",
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2,"info":{"name":"demo","title":"Demo"},"authMethods":[{"methodId":"m","name":"secret door"}]}}`,
		`{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"},"_meta":{"x":"y","n":5}}}}`,
		`{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"t","kind":"edit","status":"pending","title":"a","rawInput":{"command":"rm"},"content":[{"type":"diff","path":"/a/b","newText":"c"}]}}}`,
		"plain noise")
	want := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2,"info":{"name":"demo","title":"Demo"},"authMethods":[{"methodId":"m","name":"[redacted]"}]}}
{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"[redacted]"},"_meta":{"x":"[redacted]","n":5}}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"t","kind":"edit","status":"pending","title":"[redacted]","rawInput":{"command":"[redacted]"},"content":[{"type":"diff","path":"/a/b","newText":"[redacted]"}]}}}
[redacted]`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzShare(f *testing.F) {
	f.Add([]byte(`{"params":{"cwd":"/a/b/c","sessionId":"0123456789","x":["/a/b/c/d"," /q/w/e 0123456789",null]}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := newTestRedactor(t, RedactOptions{Share: []string{"paths", "ids", "text"}, Paths: []string{"..", ".params"}})
		out, ptrs := r.Line(in)
		if IsFrame(in) && !IsFrame(out) {
			t.Fatalf("no frame any more: %q", out)
		}
		if IsFrame(in) && len(ptrs) > 0 {
			checkPlaces(t, in, out, ptrs)
		}
	})
}
