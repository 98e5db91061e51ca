package record

import (
	"io"
	"os"
)

// glanceBytes is how far Glance reads to find out which session a recording is
// about.
const glanceBytes = 1 << 20

// Glance says what LiveState says, for lists of many recordings: of one that
// nobody writes any more it reads no more than the beginning. Its SessionID is
// then the first one, and Since the time when the file was last written.
func Glance(path string) (Live, error) {
	f, err := os.Open(path)
	if err != nil {
		return Live{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Live{}, err
	}
	locked, known := isLocked(f)
	r := NewReader(io.LimitReader(f, glanceBytes))
	defer r.Close()
	t := NewTracker()
	for first := true; ; first = false {
		e, err := r.Next()
		if h := r.Header(); locked || first && !known && h != nil && h.PID > 0 && alive(h.PID) {
			return LiveState(path, "")
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return Live{}, err
		}
		t.Feed(e)
		if len(t.sessions) > 0 {
			break
		}
	}
	l := Live{Path: path, Header: r.Header(), State: StateExited, Since: info.ModTime()}
	if t.latest != nil {
		l.SessionID = t.latest.id
	}
	return l, nil
}
