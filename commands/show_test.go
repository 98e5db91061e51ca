package commands

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
)

// One open terminal sees every agent that any editor starts: show -f without
// FILE shows the newest recording, goes on as it grows, and takes up those that
// appear later, until a signal.
func TestShowFollowsTheFolder(t *testing.T) {
	state := t.TempDir()
	getenv := func(name string) string {
		if name == "XDG_STATE_HOME" {
			return state
		}
		return ""
	}
	begun := time.Date(2026, 11, 30, 4, 0, 0, 0, time.UTC)
	make1 := func(agent string) *record.Writer {
		begun = begun.Add(time.Minute)
		w, _, err := record.Create(record.CreateOptions{Agent: []string{agent}, Start: begun, Env: record.Env{Getenv: getenv, PID: 7}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		return w
	}
	say := func(w *record.Writer, method string) {
		w.Observe(wire.Entry{Kind: wire.EntryLine, From: wire.Client, EOL: "\n", Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`)})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	old := make1("old")
	say(old, "_of/old")
	w1 := make1("one")
	say(w1, "_of/one")

	out, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	errFile, err := os.Create(filepath.Join(state, "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer errFile.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		defer write.Close()
		e := newEnv(Streams{null, write, errFile}, getenv)
		ended <- e.run(ctx, []string{"show", "-f"})
	}()
	lines := bufio.NewScanner(out)
	next := func(want ...string) {
		t.Helper()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "session ") {
				continue
			}
			for _, w := range want {
				if !strings.Contains(lines.Text(), w) {
					t.Fatalf("%q, want %q", lines.Text(), want)
				}
			}
			return
		}
		t.Fatalf("no more lines, want %q", want)
	}
	next("one-7", "_of/one")
	say(w1, "_more/one")
	next("one-7", "_more/one")
	w2 := make1("two")
	say(w2, "_of/two")
	next("two-7", "_of/two")
	say(w1, "_again/one")
	next("one-7", "_again/one")
	if err := w2.Close(); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err == nil {
		t.Error("ended without saying why")
	}
}

// A signal ends show also in the middle of a file, and takes away what of the
// output was written.
func TestShowEndsInTheMiddle(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	write(t, file, `{"format":"acptool","version":1}`+"\n"+strings.Repeat(`{"t":0,"from":"agent","text":"x"}`+"\n", 1000)+"wrong\n")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(&signalError{syscall.SIGTERM})
	e := newEnv(Streams{os.Stdin, os.Stdout, os.Stderr}, os.Getenv)
	err := e.run(ctx, []string{"show", file, "-o", out})
	var sig *signalError
	if !errors.As(err, &sig) {
		t.Errorf("ended with %v", err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("left %v, %v", names, err)
	}
}

// What goes wrong with the file beside is told of the file that was asked for.
func TestOutFileErrorsNameTheFile(t *testing.T) {
	f, err := createOut(filepath.Join(t.TempDir(), "out"), false, false)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, err = f.Write([]byte("x"))
	var path *fs.PathError
	if !errors.As(err, &path) || path.Path != f.name {
		t.Errorf("wrote with %v", err)
	}
	f.finish(false)
}
