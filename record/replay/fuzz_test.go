package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
)

// FuzzAgent: no recording and no client can make the player hang or panic, and
// every line it writes for a request is an answer to one that was asked.
func FuzzAgent(f *testing.F) {
	f.Add(recording(v1Turn), "")
	f.Add(recording(v2Begin), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)
	f.Add(demoV2, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"demo-allowed"}}`)
	f.Add(`{"from":"client","msg":[{"jsonrpc":"2.0","id":null,"method":"x"}]}`+"\n"+`{"from":"agent","msg":{"jsonrpc":"2.0","id":null,"result":1}}`, `[1]`)
	f.Fuzz(func(t *testing.T, file, client string) {
		rec, err := Load(reader(file))
		if err != nil {
			return
		}
		for _, s := range rec.Connections {
			in := client
			for _, g := range s.Frames {
				if g.From == wire.Client {
					in += "\n" + string(oneLine(g.Raw))
				}
			}
			var out bytes.Buffer
			a, err := NewAgent(s, AgentOptions{In: strings.NewReader(in + "\n"), Out: &out})
			if err != nil {
				return
			}
			if _, err := a.Run(context.Background()); err != nil && !plainEnd(err) {
				t.Fatal(err)
			}
			if _, err := json.Marshal(a.Verdict()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzRewrite: what is rewritten stays JSON, and without anything to change
// stays the same bytes.
func FuzzRewrite(f *testing.F) {
	f.Add(`{"a":"/w/x","b":["id1",{"/w":1}],"id":7}`, "/w", "/elsewhere", "id1")
	f.Add(`{"a":"\/w\u002fx","b":["id\u0031",{"C:\\w":"C:\\w\\x"}]}`, `C:\w`, "/elsewhere", "id1")
	f.Add(`{"a":"a\tb/w","b":["a\"b"]}`, "a\tb", "/elsewhere", `a"b`)
	f.Fuzz(func(t *testing.T, text, old, now, id string) {
		if !json.Valid([]byte(text)) {
			return
		}
		if got := newRewriter(nil, []pathMove{{old, old}}).apply([]byte(text)); string(got) != text {
			t.Fatalf("changed: %s", got)
		}
		exact, paths := map[string]string{id: now}, []pathMove{{cleanFolder(old), now}}
		got := newRewriter(exact, paths).apply([]byte(text))
		if slow := (&rewriter{exact: exact, paths: paths}).apply([]byte(text)); string(got) != string(slow) {
			t.Fatalf("at a glance %s, string by string %s", got, slow)
		}
		paths = append(paths, pathMove{now, id}, pathMove{cleanFolder(id), old})
		if !slices.ContainsFunc(paths[1:], func(m pathMove) bool { return m.old == paths[0].old }) && paths[1].old != paths[2].old {
			want := (&rewriter{paths: paths}).moved(text)
			if got := newManyMoves(paths).apply(text); got != want {
				t.Fatalf("among many %q, one by one %q", got, want)
			}
		}
		if !json.Valid(got) {
			t.Fatalf("no JSON: %s", got)
		}
		if text[0] == '{' && !json.Valid(withID(got, `"live"`)) {
			t.Fatalf("no JSON with an id: %s", got)
		}
	})
}

// FuzzSimilarity: equal values are equal, nothing is more than equal, and a
// difference is told exactly where values are not.
func FuzzSimilarity(f *testing.F) {
	f.Add(`{"a":[1,"x y"]}`, `{"a":[1.0,"x z"],"b":null}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := value([]byte(a)), value([]byte(b))
		if s := similarity(x, x); s < 0.999999 {
			t.Fatalf("%s is like itself by %f", a, s)
		}
		if s := similarity(x, y); s < 0 || s > 1.000001 {
			t.Fatalf("%f", s)
		}
		if d := diff(x, value([]byte(a))); len(d) > 0 {
			t.Fatalf("%s differs from itself: %v", a, d)
		}
		if d := diff(x, y); len(d) == 0 && !strings.Contains(a, "redacted") && similarity(x, y) < 0.999999 {
			t.Fatalf("%s and %s: no difference", a, b)
		}
	})
}
