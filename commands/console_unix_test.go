//go:build unix

package commands

import (
	"bufio"
	"io"
	"os"
	"testing"

	"github.com/creack/pty"
)

// A note must not be glued to an answer that has no newline yet, where both
// stand on one terminal; in a pipe nothing is added.
func TestNotesBeginOnALineOfTheirOwn(t *testing.T) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	defer tty.Close()
	e := newEnv(Streams{Out: tty, Err: tty}, func(string) string { return "" })
	for _, step := range []func(){
		func() { io.WriteString(e.out, "half a line") },
		func() { e.say.note("one") },
		func() { e.say.note("two") },
		func() { io.WriteString(e.out, "a line\n") },
		func() { e.say.note("three") },
	} {
		step()
	}
	lines := bufio.NewReader(ptmx)
	for _, want := range []string{"half a line", "acptool: note: one", "acptool: note: two", "a line", "acptool: note: three"} {
		if got, err := lines.ReadString('\n'); err != nil || got != want+"\r\n" {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	e = newEnv(Streams{Out: w, Err: tty}, func(string) string { return "" })
	io.WriteString(e.out, "half a line")
	e.say.note("four")
	w.Close()
	if got, _ := io.ReadAll(r); string(got) != "half a line" {
		t.Errorf("in the pipe: %q", got)
	}
	if got, err := lines.ReadString('\n'); err != nil || got != "acptool: note: four\r\n" {
		t.Errorf("got %q, %v", got, err)
	}
}
