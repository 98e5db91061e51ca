package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// step is one instruction of a script.
type step struct {
	line int
	verb string
	arg  string
	body []step // of on and repeat
}

// parseScript reads a script.
func parseScript(text string) ([]step, error) {
	lines := strings.Split(text, "\n")
	next := 0
	var block func(open int) ([]step, error)
	block = func(open int) ([]step, error) {
		var steps []step
		for next < len(lines) {
			line := strings.TrimSpace(lines[next])
			next++
			if line == "" || line[0] == '#' {
				continue
			}
			s := step{line: next}
			s.verb, s.arg, _ = strings.Cut(line, " ")
			s.arg = strings.TrimSpace(s.arg)
			if s.verb == "end" {
				if open == 0 {
					return nil, fmt.Errorf("line %d: nothing to end", s.line)
				}
				return steps, nil
			}
			if err := s.check(); err != nil {
				return nil, fmt.Errorf("line %d: %w", s.line, err)
			}
			if s.verb == "on" || s.verb == "repeat" {
				var err error
				if s.body, err = block(s.line); err != nil {
					return nil, err
				}
			}
			steps = append(steps, s)
		}
		if open != 0 {
			return nil, fmt.Errorf("line %d: no end", open)
		}
		return steps, nil
	}
	return block(0)
}

// check finds mistakes before the agent begins.
func (s step) check() error {
	needs := true
	switch s.verb {
	case "expect-answer", "expect-eof", "serve", "deaf", "hang":
		needs = false
	case "expect", "await", "on", "reply", "error", "raw", "flood", "write", "repeat", "close", "spawn", "exit", "die":
	case "send", "stderr": // may be empty lines
		return nil
	default:
		return fmt.Errorf("unknown instruction %q", s.verb)
	}
	if needs != (s.arg != "") {
		return fmt.Errorf("%s: wrong number of words", s.verb)
	}
	switch s.verb {
	case "repeat", "exit":
		_, err := strconv.Atoi(s.arg)
		return err
	case "raw":
		_, err := strconv.Unquote(s.arg)
		return err
	case "die":
		if signalNamed(s.arg) == 0 {
			return fmt.Errorf("unknown signal %s", s.arg)
		}
	}
	return nil
}

// do does what one instruction says.
func (a *agent) do(s step) error {
	switch s.verb {
	case "expect":
		m, err := a.read()
		if err == nil && m.Method != s.arg {
			err = fmt.Errorf("expected %s, got %s", s.arg, m.Raw)
		}
		return err
	case "await":
		for {
			if m, err := a.read(); err != nil || m.Method == s.arg {
				return err
			}
		}
	case "expect-answer":
		m, err := a.read()
		if err == nil && m.Kind() != wire.KindResponse {
			err = fmt.Errorf("expected an answer, got %s", m.Raw)
		}
		return err
	case "expect-eof":
		_ = a.untilEOF()
		return nil
	case "reply":
		return write(os.Stdout, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", a.request.ID, a.expand(s.arg)))
	case "error":
		return write(os.Stdout, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`+"\n", a.request.ID, a.expand(s.arg)))
	case "send":
		return write(os.Stdout, a.expand(s.arg)+"\n")
	case "stderr":
		return write(os.Stderr, a.expand(s.arg)+"\n")
	case "raw":
		text, _ := strconv.Unquote(s.arg)
		return write(os.Stdout, a.expand(text))
	case "flood":
		return flood(s.arg)
	case "write":
		name, text, _ := strings.Cut(s.arg, " ")
		return appear(name, a.expand(text)+"\n")
	case "on":
		a.handlers[s.arg] = s.body
	case "serve":
		return a.serve()
	case "repeat":
		n, _ := strconv.Atoi(s.arg)
		for range n {
			if err := a.run(s.body); err != nil {
				return err
			}
		}
	case "close":
		f, err := ownStream(s.arg)
		if err != nil {
			return err
		}
		return f.Close()
	case "deaf":
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	case "spawn":
		return spawn(s.arg)
	case "exit":
		n, _ := strconv.Atoi(s.arg)
		return exitStatus(n)
	case "die":
		return die(signalNamed(s.arg))
	case "hang":
		for {
			time.Sleep(time.Hour)
		}
	}
	return nil
}

func ownStream(name string) (*os.File, error) {
	switch name {
	case "stdin":
		return os.Stdin, nil
	case "stdout":
		return os.Stdout, nil
	case "stderr":
		return os.Stderr, nil
	}
	return nil, fmt.Errorf("no stream %q", name)
}

// write writes all of text. A reader that has gone is no mistake of ours.
func write(f *os.File, text string) error {
	_, _ = io.WriteString(f, text)
	return nil
}

// flood writes many bytes: "STREAM N".
func flood(arg string) error {
	name, count, _ := strings.Cut(arg, " ")
	f, err := ownStream(name)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	line := []byte(strings.Repeat("flood ", 21) + "\n")
	all := bytes.Repeat(line, n/len(line)+1)[:n]
	all[n-1] = '\n'
	_, _ = f.Write(all)
	return nil
}

// appear makes a file that nobody can see half written.
func appear(name, text string) error {
	if err := os.WriteFile(name+".tmp", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}

// place is the JSON value at a path, null if there is none.
func place(raw json.RawMessage, path []string) string {
	v := raw
	if len(path) > 0 {
		v = scan.Path(raw, path...)
	}
	if v == nil {
		return "null"
	}
	return string(v)
}
