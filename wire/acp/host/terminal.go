package host

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
)

// How long the output is waited for once the command's session has ended.
const strayGrace = time.Second

// How far the kept output may grow beyond twice its limit before it is cut.
const trimSlack = 64 << 10

// terminal is one command with its output, stdout and stderr in one.
type terminal struct {
	child *wire.Child
	limit int64         // bytes of output to keep, from the end; -1 all
	read  chan struct{} // closed when the command has ended and its output was read

	mu        sync.Mutex
	out       []byte
	truncated bool

	releasing sync.Once
}

// start reads the command's output until it ends.
func (t *terminal) start(child *wire.Child) {
	t.child = child
	_ = child.CloseStdin() // nobody types
	eof := make(chan struct{})
	go func() { // ends with the output
		defer close(eof)
		buf := make([]byte, 32<<10)
		for {
			n, err := child.Stdout.Read(buf)
			t.append(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	go func() { // ends with the command
		child.Wait()
		// What the command's own children hold open does not hold us: its
		// session ends with it.
		_ = child.Close(context.Background())
		select {
		case <-eof:
		case <-time.After(strayGrace): // something that left the session holds the pipe
		}
		_ = child.Stdout.Close()
		<-eof
		close(t.read)
	}()
}

// append keeps output, within the limit: what is oldest goes, at a character's
// boundary.
func (t *terminal) append(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out = append(t.out, b...)
	if t.limit >= 0 && int64(len(t.out)) > 2*t.limit+trimSlack {
		t.trim() // now and then, not with every piece
	}
}

// trim drops what is beyond the limit.
func (t *terminal) trim() {
	if t.limit < 0 || int64(len(t.out)) <= t.limit {
		return
	}
	t.truncated = true
	cut := len(t.out) - int(t.limit)
	for cut < len(t.out) && !utf8.RuneStart(t.out[cut]) {
		cut++
	}
	t.out = append(t.out[:0], t.out[cut:]...)
}

// text is the output so far, as text; half a character at its end waits for
// the rest.
func (t *terminal) text() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.trim()
	whole := t.out
	for i := 1; i <= utf8.UTFMax && i <= len(whole); i++ {
		tail := whole[len(whole)-i:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				whole = whole[:len(whole)-i]
			}
			break
		}
	}
	return string(whole), t.truncated
}

// ended tells how the command ended, if it has and its output is complete.
func (t *terminal) ended() (wire.Exit, bool) {
	select {
	case <-t.read:
		return t.child.Exit()
	default:
		return wire.Exit{}, false
	}
}

// kill ends the command and everything it started, at once.
func (t *terminal) kill() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // straight to the last rung
	_ = t.child.Close(ctx)
}

// release ends the command and waits until nothing of it is left.
func (t *terminal) release() {
	t.releasing.Do(func() {
		t.kill()
		<-t.read
	})
}
