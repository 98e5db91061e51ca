package record

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// pollEvery is how often a file that is followed is looked at.
const pollEvery = 50 * time.Millisecond

// Writing says whether a living process writes the recording at path: whether
// its lock is held or, on a file system without locks, whether the process of
// the header exists. pid is the header's, 0 if unknown.
func Writing(path string, pid int) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return writing(f, pid)
}

func writing(f *os.File, pid int) bool {
	if locked, known := isLocked(f); known {
		return locked
	}
	return pid > 0 && alive(pid)
}

// OpenFollow opens a recording and reads it as it grows. It ends (io.EOF) when
// ctx does, or when the process that writes it is gone and all was read. A
// capture that no acptool writes is followed until ctx ends.
func OpenFollow(ctx context.Context, name string, env Env) (*Reader, error) {
	if name == "-" {
		return Open(name, env) // a pipe is followed by nature
	}
	path, err := Resolve(name, env)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, fmt.Errorf("%s is a folder", path)
	}
	r := env.reader(nil)
	r.in = &growing{ctx: ctx, f: f, r: r}
	r.closers = append(r.closers, f.Close)
	return r, nil
}

// growing reads a file that grows: at its end it waits for more.
type growing struct {
	ctx  context.Context
	f    *os.File
	r    *Reader
	done bool // the writer was found gone; what is left is read once more
	seen bool // it was found at work
}

func (g *growing) Read(p []byte) (int, error) {
	for {
		n, err := g.f.Read(p)
		if n > 0 || err != nil && err != io.EOF || g.done {
			return n, err
		}
		// Ask before the next read: what was written before the writer let go
		// is then there.
		h := g.r.header
		at := 0
		if h != nil {
			at = h.PID
		}
		if writing(g.f, at) {
			g.seen = true
		} else if g.seen || h != nil && h.PID != 0 {
			g.done = true
			continue
		}
		if g.r.onWait != nil {
			g.r.onWait()
		}
		timer := time.NewTimer(pollEvery)
		select {
		case <-g.ctx.Done():
			timer.Stop()
			return 0, io.EOF
		case <-timer.C:
		}
	}
}

// OnWait sets a function that is called when all that a followed file holds
// was returned and the Reader waits for more.
func (r *Reader) OnWait(f func()) { r.onWait = f }

// Followed is an entry of one of several recordings that are followed.
type Followed struct {
	Path  string
	Entry Entry
	Wait  bool  // no entry: all that is there was read
	End   bool  // no entry: the recording has ended
	Err   error // the recording could not be read further; other ones go on
}

// FollowFolder follows the newest recording of folder and all that appear
// later, until ctx ends; then it closes the channel. The caller reads until
// then.
func FollowFolder(ctx context.Context, folder string, env Env) <-chan Followed {
	out := make(chan Followed)
	// The watcher ends with ctx; it waits for the readers that it started,
	// which end with ctx too.
	go func() {
		defer close(out)
		var readers sync.WaitGroup
		defer readers.Wait()
		known := map[string]bool{}
		for first := true; ; first = false {
			list, err := List(folder)
			if err != nil {
				send(ctx, out, Followed{Path: folder, Err: err})
				return
			}
			for i, s := range list {
				if known[s.Path] {
					continue
				}
				known[s.Path] = true
				if first && i > 0 {
					continue
				}
				readers.Go(func() { followOne(ctx, s.Path, env, out) })
			}
			timer := time.NewTimer(2 * pollEvery)
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-timer.C:
			}
		}
	}()
	return out
}

func followOne(ctx context.Context, path string, env Env, out chan<- Followed) {
	r, err := OpenFollow(ctx, path, env)
	if err != nil {
		send(ctx, out, Followed{Path: path, Err: err})
		return
	}
	defer r.Close()
	waited := false
	r.OnWait(func() {
		if !waited {
			waited = true
			send(ctx, out, Followed{Path: path, Wait: true})
		}
	})
	for {
		e, err := r.Next()
		if err == io.EOF {
			send(ctx, out, Followed{Path: path, End: true})
			return
		}
		waited = false
		if !send(ctx, out, Followed{Path: path, Entry: e, Err: err}) || err != nil {
			return
		}
	}
}

func send(ctx context.Context, out chan<- Followed, f Followed) bool {
	select {
	case out <- f:
		return true
	case <-ctx.Done():
		return false
	}
}
