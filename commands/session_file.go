package commands

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/acptool/acptool/wire/acp"
)

// maxSessionFile is more than any session's id takes: what is longer, or has no
// end as a device has none, is another file that was named by mistake.
const maxSessionFile = 1 << 16

// readSessionFile is the id in --session-file; "" where there is none yet. A
// file that could not be written after the turn is told of before it: by then
// the turn is paid for.
func readSessionFile(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", sessionFileError(probe(name), name)
	case err != nil:
		return "", sessionFileError(err, name)
	case !info.Mode().IsRegular():
		return "", sessionFileError(errors.New("not a regular file"), name)
	case info.Size() > maxSessionFile:
		return "", sessionFileError(errNoSessionID, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", sessionFileError(err, name)
	}
	id := strings.TrimSpace(string(text))
	if !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) {
		return "", sessionFileError(errNoSessionID, name)
	}
	return id, nil
}

var errNoSessionID = errors.New("its text is no session id")

func sessionFileError(err error, name string) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // it may name the file beside it
	}
	return ownf(err, "the session file %s", name)
}

// probe says whether a file can be made beside name.
func probe(name string) error {
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// createBeside makes a file with another name in the same folder. A name may
// have 255 bytes on most systems.
func createBeside(name string) (*os.File, error) {
	base := filepath.Base(name)
	base = strings.ToValidUTF8(base[:min(len(base), 200)], "")
	return os.CreateTemp(filepath.Dir(name), base+".*")
}

// writeSessionFile writes the id so that nobody ever reads half of it. The
// error names it: the session is there all the same.
func writeSessionFile(name, id string) error {
	f, err := createBeside(name)
	if err != nil {
		return ownf(err, "write the session file for session %s", id)
	}
	_, err = f.WriteString(id + "\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return ownf(err, "write the session file for session %s", id)
	}
	return nil
}

// keptSessionError is what taking up the session of --session-file came to.
type keptSessionError struct {
	file string
	err  error
}

func (k *keptSessionError) Error() string { return k.err.Error() }
func (k *keptSessionError) Unwrap() error { return k.err }

// sessionKeeper writes the id of a new session into --session-file at the first
// sign that the agent took the prompt (some agents forget a session that never
// had a turn), and before anything of the turn is printed: whatever ends the
// run after that, the next one finds the session. A nil keeper keeps nothing.
type sessionKeeper struct {
	name string

	mu      sync.Mutex
	id      string
	written bool
	failed  error
}

// begin says that a prompt is about to be sent.
func (k *sessionKeeper) begin(id string) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.id = id
}

// see takes an update before it is shown. What belongs to the turn's work says
// that the prompt was taken; lists of commands and the like come at any time.
func (k *sessionKeeper) see(s seen) {
	if k == nil || s.When != acp.InTurn || s.Change.Item == nil && (s.Change.State == nil || !s.Change.State.Live()) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if s.Session == k.id {
		k.write()
	}
}

// end takes what the turn came to. A prompt that was answered with an error was
// not taken: the id of a session without a turn is not kept.
func (k *sessionKeeper) end(res acp.TurnResult, err error) error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var refused *acp.AgentError
	switch {
	case err == nil || res.MessageID != "" || res.StopReason != "":
		k.write()
	case errors.As(err, &refused) && k.written:
		os.Remove(k.name)
		k.written = false
	}
	return k.failed
}

func (k *sessionKeeper) write() {
	if !k.written {
		k.failed = writeSessionFile(k.name, k.id)
		k.written = k.failed == nil
	}
}

func (k *sessionKeeper) kept() bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.written
}
