package wiretest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire"
)

// FakeAgentMain plays an agent by the script in the file os.Args[1] on the
// process's own streams and returns the exit status. A test binary registers
// it as a command for testscript:
//
//	testscript.Main(m, map[string]func(){"fakeagent": func() { os.Exit(wiretest.FakeAgentMain()) }})
//
// A script has one instruction per line; # begins a comment line.
//
//	expect METHOD      read a message, which must be this request or notification
//	await METHOD       read messages until this request or notification comes
//	expect-answer      read a message, which must be a response
//	expect-eof         read until the client closes our stdin
//	reply JSON         answer the request that was read last with this result
//	error JSON         answer it with this error object
//	send TEXT          write a line: a message, or noise
//	raw "TEXT"         write a Go string, with no line end added
//	stderr TEXT        write a line on stderr
//	flood STREAM N     write N bytes in lines of noise to stdout or stderr
//	write FILE TEXT    write a line into a new file, which appears at once with it
//	on METHOD … end    what serve does when this request or notification comes
//	serve              do what on says, in any order, until the client closes
//	                   our stdin; refuse other requests, ignore other notifications
//	repeat N … end     do what stands between N times
//	close STREAM       close stdin, stdout or stderr
//	deaf               catch HUP, INT and TERM and do nothing
//	spawn SCRIPT       start another fake agent on the same streams, and go on
//	exit N             end with this status
//	die SIGNAL         end by this signal, for example KILL
//	hang               do nothing until killed
//
// Where the client closes our stdin while something is awaited, and where the
// script ends, the agent ends like a good one: at the end of its stdin, with
// 0. A message other than the expected one ends it with 70.
//
// In what is written, ${id} is the id of the request that was read last, and
// ${params.a.b} (likewise result and error, of any message) the JSON value at
// that place, ${pid} our process id, ${env.NAME} a variable of the environment.
func FakeAgentMain() int {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: fakeagent SCRIPT")
		return 64
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "fakeagent:", err)
		return 66
	}
	script, err := parseScript(string(text))
	if err != nil {
		fmt.Fprintf(os.Stderr, "fakeagent: %s: %v\n", os.Args[1], err)
		return 65
	}
	a := &agent{in: wire.NewLineReader(os.Stdin, 0), handlers: map[string][]step{}}
	err = a.run(script)
	if err == nil {
		err = a.untilEOF()
	}
	switch end := err.(type) {
	case exitStatus:
		return int(end)
	default:
		if err == io.EOF {
			return 0
		}
		fmt.Fprintf(os.Stderr, "fakeagent: %s: %v\n", os.Args[1], err)
		return 70
	}
}

// exitStatus ends the agent with a status.
type exitStatus int

func (e exitStatus) Error() string { return "exit " + strconv.Itoa(int(e)) }

// agent is a fake agent at work.
type agent struct {
	in       *wire.LineReader
	request  wire.Message // read last that had a method
	last     wire.Message // read last
	handlers map[string][]step
}

// run does one step after the other.
func (a *agent) run(steps []step) error {
	for _, s := range steps {
		if err := a.do(s); err != nil {
			if _, over := err.(exitStatus); over || err == io.EOF {
				return err
			}
			return fmt.Errorf("line %d: %w", s.line, err)
		}
	}
	return nil
}

// read returns the next message.
func (a *agent) read() (wire.Message, error) {
	for {
		line, err := a.in.ReadLine()
		if err != nil {
			return wire.Message{}, io.EOF
		}
		d := wire.Decode(line.Bytes)
		if len(d.Messages) != 1 || d.Noise != nil {
			if len(d.Messages) == 0 && d.Noise == nil {
				continue
			}
			return wire.Message{}, fmt.Errorf("not one message: %s", line.Bytes)
		}
		a.last = d.Messages[0]
		if a.last.Method != "" {
			a.request = a.last
		}
		return a.last, nil
	}
}

func (a *agent) untilEOF() error {
	for {
		if _, err := a.in.ReadLine(); err != nil {
			return io.EOF
		}
	}
}

// serve acts on messages until there are no more.
func (a *agent) serve() error {
	for {
		m, err := a.read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		steps, known := a.handlers[m.Method]
		switch {
		case known:
			err = a.run(steps)
		case m.Kind() == wire.KindRequest:
			err = write(os.Stdout, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", m.ID))
		}
		if err != nil {
			return err
		}
	}
}

// expand fills in the variables of a text.
func (a *agent) expand(text string) string {
	return os.Expand(text, func(name string) string {
		first, rest, _ := strings.Cut(name, ".")
		path := strings.Split(rest, ".")
		if rest == "" {
			path = nil
		}
		switch first {
		case "id":
			return string(a.request.ID)
		case "pid":
			return strconv.Itoa(os.Getpid())
		case "env":
			return os.Getenv(rest)
		case "params":
			return place(a.request.Params, path)
		case "result":
			return place(a.last.Result, path)
		case "error":
			return place(a.last.Error, path)
		}
		return "$" + name // JSON may hold "$/cancel_request"
	})
}

// spawn starts another agent on our streams and does not wait for it.
func spawn(script string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Args = []string{os.Args[0], script}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Start()
}
