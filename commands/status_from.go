package commands

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// statusFrom answers from a live recording: the way for agents that have no
// session/status. It never says active unless somebody still writes the
// recording.
func (e *env) statusFrom(ctx context.Context, q statusQuery) *statusRow {
	for {
		row := e.fromRecording(q.from, q.session)
		if len(q.wait) == 0 || row.err == nil && row.matches(q.wait) || row.err != nil && !notYetRecorded(row.err) {
			return row
		}
		pause := time.NewTimer(q.interval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			row.giveUp(waited(ctx, q, row.seen()))
			return row
		}
	}
}

// notYetRecorded says whether --wait goes on: there may be no recording yet, of
// that name or any at all, or the session may not stand in it yet.
func notYetRecorded(err error) bool {
	var unknown *record.UnknownSessionError
	var none *record.NoRecordingError
	return errors.Is(err, fs.ErrNotExist) || errors.As(err, &unknown) || errors.As(err, &none)
}

// fromRecording looks once.
func (e *env) fromRecording(name, session string) *statusRow {
	row := &statusRow{Agent: name, SessionID: session, Source: "recording"}
	begin := time.Now()
	defer func() { row.MS = float64(time.Since(begin).Microseconds()) / 1000 }()
	path, err := e.recordingFile(name)
	if err != nil {
		row.fail(ownf(err, "find the recording"))
		return row
	}
	live, err := record.LiveState(path, session)
	if err != nil {
		row.fail(err)
		return row
	}
	if live.Header != nil && len(live.Header.Agent) > 0 {
		row.Agent = wire.QuoteLine(live.Header.Agent)
	}
	row.SessionID, row.name = live.SessionID, live.State
	row.Status = "active"
	if !live.Writing {
		row.Status, row.name = "inactive", record.StateExited
	}
	row.State = []byte(`{"state":"` + row.name + `"}`)
	if !live.Since.IsZero() {
		row.Since = live.Since.UTC().Format(time.RFC3339Nano)
	}
	return row
}

// recordingFile is the file that a name stands for; of a folder, the newest
// recording in it.
func (e *env) recordingFile(name string) (string, error) {
	path, err := record.Resolve(name, record.Env{Getenv: e.getenv})
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	files, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	newest, at := "", time.Time{}
	for _, f := range files {
		info, err := f.Info()
		if err == nil && strings.HasSuffix(f.Name(), record.Extension) && info.ModTime().After(at) {
			newest, at = filepath.Join(path, f.Name()), info.ModTime()
		}
	}
	if newest == "" {
		return "", &fs.PathError{Op: "look for a recording in", Path: path, Err: fs.ErrNotExist}
	}
	return newest, nil
}

// fromRows runs status --from.
func (e *env) fromRows(ctx context.Context, q statusQuery, timeout time.Duration) []*statusRow {
	if len(q.wait) == 0 {
		timeout = 0
	}
	ctx, cancel := acp.WithTimeout(ctx, timeout)
	defer cancel()
	return []*statusRow{e.statusFrom(ctx, q)}
}
