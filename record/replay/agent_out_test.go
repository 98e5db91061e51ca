package replay

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// A plain frame costs nothing but its bytes: no memory, and no call to the
// system for each.
func TestPlainFrameAllocatesNothing(t *testing.T) {
	a := agent(t, v1Turn, AgentOptions{Out: io.Discard})
	sc := a.s.scenes[2]
	r := a.begin(sc, "7")
	a.live.moves = []move{{"s1", pathMove{"/rec", "/live"}}}
	for range 2 * enough / len(sc.items[0].frame.Raw) { // the buffer is as large as it gets
		a.perform(r, sc.items[0])
	}
	if n := testing.AllocsPerRun(1000, func() { a.perform(r, sc.items[0]) }); n != 0 {
		t.Errorf("%v allocations per frame", n)
	}
}

// calls keeps what each Write was given.
type calls struct{ got []string }

func (c *calls) Write(p []byte) (int, error) {
	c.got = append(c.got, string(p))
	return len(p), nil
}

// What can be sent at once is written at once; nothing stays behind at the end.
func TestWritesAreGathered(t *testing.T) {
	var script strings.Builder
	script.WriteString(`
> {"id":0,"method":"initialize","params":{"protocolVersion":1}}
< {"id":0,"result":{"protocolVersion":1}}
`)
	huge := strings.Repeat("x", enough)
	for _, text := range []string{"a", "b", huge, "c", strings.Repeat("y", enough/2), strings.Repeat("z", enough/2), "d"} {
		script.WriteString("< " + up("s1", `"text":"`+text+`"`) + "\n")
	}
	var c calls
	in := long(`{"id":0,"method":"initialize","params":{"protocolVersion":1}}`)
	a := agent(t, script.String(), AgentOptions{In: strings.NewReader(in + "\n"), Out: &c})
	if _, err := a.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for _, s := range steps(script.String()) {
		if s.mark == '<' {
			want.WriteString(long(s.text) + "\n")
		}
	}
	if got := strings.Join(c.got, ""); got != want.String() {
		t.Fatalf("got %d bytes, want %d", len(got), want.Len())
	}
	if len(c.got) > 6 {
		t.Errorf("%d writes", len(c.got))
	}
	for _, w := range c.got {
		if len(w) > enough && !strings.Contains(w, huge) {
			t.Errorf("a write of %d bytes", len(w))
		}
	}
}
