package wire

import (
	"errors"
	"io"
	"os"
	"time"
)

// readStreams begins to read what the agent writes, unless the caller does.
func (c *Child) readStreams(cmd Command) {
	if c.raw {
		close(c.stderrDone)
		return
	}
	c.lines = NewLineReader(&lastWords{f: c.Stdout, c: c}, cmd.MaxFrame)
	if cmd.Stderr != nil {
		c.tail.tellTo(cmd.Stderr)
	}
	if c.Stderr == nil {
		close(c.stderrDone)
	} else {
		go c.readStderr() // ends with stderr, or soon after the process
	}
	go c.wakeReaders() // ends right after the process
}

// wakeReaders ends reads that are under way when the agent exits, after a
// silence.
func (c *Child) wakeReaders() {
	<-c.exited
	until := c.exitTime.Add(c.patience.Silence)
	err := c.Stdout.SetReadDeadline(until)
	if c.Stderr != nil {
		_ = c.Stderr.SetReadDeadline(until)
	}
	if errors.Is(err, os.ErrNoDeadline) { // Windows: end who holds the pipes
		select {
		case <-time.After(c.patience.Silence):
			_ = c.session.signalAll(os.Kill)
		case <-c.closed:
		}
	}
}

func (c *Child) readStderr() {
	defer close(c.stderrDone)
	defer c.Stderr.Close()
	r := &lastWords{f: c.Stderr, c: c}
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			c.tail.write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// lastWords reads one of the agent's streams to its end. Once the agent has
// exited, silence is an end too, since its children may hold the pipe for
// ever; what they keep on saying is read for so long and no longer. What lies
// in the pipe is always read, however late.
type lastWords struct {
	f    *os.File
	c    *Child
	late int // bytes read after the time was up
}

// What a pipe can hold at most, and how long its reading may take when there
// is no more time for waiting.
const (
	pipeMost  = 1 << 20
	emptyTime = 20 * time.Millisecond
)

func (r *lastWords) Read(b []byte) (int, error) {
	for {
		over, late := r.setDeadline()
		if late {
			if r.late >= pipeMost {
				return 0, io.EOF
			}
			b = b[:min(len(b), pipeMost-r.late)]
		}
		n, err := r.f.Read(b)
		if late {
			r.late += n
		}
		if errors.Is(err, os.ErrDeadlineExceeded) && !over && n == 0 && r.c.lateBy(emptyTime) {
			continue // the time may have been up before there was a look at the pipe
		}
		if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
			err = io.EOF
		}
		return n, err
	}
}

// setDeadline says until when the next read may wait, once the agent has
// exited (over); late means that there is no more time but to empty the pipe.
func (r *lastWords) setDeadline() (over, late bool) {
	select {
	case <-r.c.exited:
	default:
		return false, false
	}
	now := time.Now()
	until := now.Add(r.c.patience.Silence)
	if last := r.c.exitTime.Add(r.c.patience.Drain); until.After(last) {
		until = last
	}
	if late = until.Before(now.Add(emptyTime)); late {
		until = now.Add(emptyTime)
	}
	_ = r.f.SetReadDeadline(until)
	return true, late
}

// lateBy reports whether who waits for the end of silence was woken much later
// than it should have been.
func (c *Child) lateBy(d time.Duration) bool {
	return time.Since(c.exitTime) > c.patience.Silence+d
}

// TellStderr has f told of all that came and will come on the agent's stderr,
// in the pieces in which it comes, by one goroutine at a time. f must not
// wait for the agent. What came before is told at once, its last 16 KiB at
// least.
func (c *Child) TellStderr(f func([]byte)) { c.tail.tellTo(f) }

// ReadLine is Transport's. Who begins to read reads to the end, which comes at
// the latest soon after the agent's: then the pipe is closed.
func (c *Child) ReadLine() (Line, error) {
	c.reading.Store(true)
	line, err := c.lines.ReadLine()
	if err != nil {
		_ = c.Stdout.Close()
	}
	return line, err
}

// WriteMessage is Transport's.
func (c *Child) WriteMessage(msg []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return writeLine(c.Stdin, msg)
}

// CloseStdin tells the agent that nothing more will come. Safe to repeat. A
// write that is stuck ends with an error.
func (c *Child) CloseStdin() error {
	var err error
	c.stdinOnce.Do(func() { err = c.Stdin.Close() })
	return err
}
