package pretty

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/acptool/acptool/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// script reads a conversation: each line is a time in seconds, who, and a line
// of the wire. Who is > (client), < (agent), ! (stderr; "…" at its end: no
// newline), eof> or eof< or exit with a status or signal. Empty lines and lines
// that begin with # do not count.
func script(t testing.TB, name string) []wire.Entry {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var entries []wire.Entry
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		at, rest, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		who, data, _ := strings.Cut(rest, " ")
		secs, err := strconv.ParseFloat(at, 64)
		if err != nil {
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		e := wire.Entry{T: time.Duration(secs * float64(time.Second)).Round(time.Microsecond), Data: []byte(data), EOL: "\n"}
		switch who {
		case ">":
			e.From = wire.Client
		case "<":
			e.From = wire.Agent
		case "!":
			e.From, e.Kind = wire.Agent, wire.EntryStderr
			if cut, ok := bytes.CutSuffix(e.Data, []byte("…")); ok {
				e.Data = cut
			} else {
				e.Data = append(e.Data, '\n')
			}
		case "eof>":
			e.Kind = wire.EntryEOF
		case "eof<":
			e.From, e.Kind = wire.Agent, wire.EntryEOF
		case "exit":
			e.From, e.Kind = wire.Agent, wire.EntryExit
			if n, err := strconv.Atoi(data); err == nil {
				e.Exit.Code = n
			} else {
				e.Exit.Signal = data
			}
		default:
			t.Fatalf("%s: %q", name, line)
		}
		entries = append(entries, e)
	}
	return entries
}

// play shows entries to a sink and closes it.
func play(t *testing.T, s Sink, entries []wire.Entry) {
	t.Helper()
	for _, e := range entries {
		s.Observe(e)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
