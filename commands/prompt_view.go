package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
)

// turnView writes what comes during a turn: the agent's text, or every update
// as JSON, or what a filter makes of the updates. It is told by the goroutine
// that reads the connection.
type turnView struct {
	e       *env
	p       *printer
	updates bool                    // --updates
	live    *liveView               // what the agent is doing, for a person
	cancel  context.CancelCauseFunc // called when nothing can be written any more

	mu      sync.Mutex
	out     io.WriteCloser // stdout, fit for a terminal if it is one
	session string         // the session whose text is shown
	turns   int
	failed  error
	late    bool      // text came after the turn's end, and that was said
	last    *acp.Item // the message whose text was written last
	written written   // what was written of it
	newline bool      // the output ends with a newline, or is empty
}

// written is what was written of a message: how much, and a hash of it, since it
// may be long.
type written struct {
	size int
	hash maphash.Hash
}

func (w *written) add(text string) {
	w.size += len(text)
	_, _ = w.hash.WriteString(text) // never fails
}

// cut takes what was written off the beginning of text, if it stands there.
func (w *written) cut(text string) (string, bool) {
	if len(text) < w.size {
		return text, false
	}
	if w.size > 0 && maphash.String(w.hash.Seed(), text[:w.size]) != w.hash.Sum64() {
		return text, false
	}
	return text[w.size:], true
}

func newTurnView(e *env, p *printer, updates bool, cancel context.CancelCauseFunc) *turnView {
	v := &turnView{e: e, p: p, updates: updates, cancel: cancel, newline: true}
	v.out = nopCloser{e.out}
	if p.Screen.Terminal {
		v.out = pretty.NewSanitizer(e.out)
	}
	return v
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// WriteString spares a copy where the writer can.
func (n nopCloser) WriteString(s string) (int, error) { return io.WriteString(n.Writer, s) }

// begin says that a prompt is about to be sent.
func (v *turnView) begin(session string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.session = session
	v.turns++
	v.last, v.written, v.late = nil, written{}, false
}

// show takes one update.
func (v *turnView) show(s seen) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed != nil {
		return
	}
	if s.Session == v.session {
		v.live.update(s)
	}
	v.live.hide()
	defer func() { v.live.wrote(v.newline) }()
	var err error
	switch {
	case v.updates && v.p.filter == nil:
		_, err = v.e.out.Write(updateLine(s, v.session))
	case v.p.filter != nil && !v.p.json:
		err = v.p.documentWith(s.Update, pretty.Vars{From: "agent", T: s.T, Timed: true, Method: "session/update", Session: s.Session})
	}
	if err == nil && s.When == acp.Late && s.Session == v.session && agentText(s) && !v.late {
		v.late = true
		v.e.say.warn("the agent sent text after the end of the turn")
	}
	if err == nil && v.isText() {
		err = v.text(s)
	}
	v.fail(err)
}

// fail ends the turn where its output has nowhere to go.
func (v *turnView) fail(err error) {
	if err != nil && v.failed == nil {
		v.failed = err
		v.cancel(err)
	}
}

func (v *turnView) err() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failed
}

func (v *turnView) isText() bool { return !v.updates && !v.p.structured() }

func agentText(s seen) bool {
	return s.Change.Item != nil && s.Change.Item.Type == acp.ItemAgentMessage && s.Change.Text != ""
}

// updateLine is the update as one line, byte for byte as the agent wrote it. A
// place outside the turn, or another session, is marked by a member of ours.
func updateLine(s seen, session string) []byte {
	line := bytes.TrimSpace(s.Update)
	var mark struct {
		When    string `json:"when,omitempty"`
		Session string `json:"sessionId,omitempty"`
	}
	switch s.When {
	case acp.Early:
		mark.When = "early"
	case acp.History:
		mark.When = "history"
	case acp.Late:
		mark.When = "late"
	}
	if session != "" && s.Session != session {
		mark.Session = s.Session
	}
	if (mark.When == "" && mark.Session == "") || len(line) < 2 || line[0] != '{' {
		return append(bytes.Clone(line), '\n')
	}
	m, _ := json.Marshal(mark)
	out := append([]byte(`{"_acptool":`), m...)
	if rest := bytes.TrimSpace(line[1:]); len(rest) > 0 && rest[0] != '}' {
		out = append(out, ',')
	}
	return append(append(out, line[1:]...), '\n')
}

// text writes what an update adds to the agent's answer.
func (v *turnView) text(s seen) error {
	item := s.Change.Item
	if s.Session != v.session || item == nil || item.Type != acp.ItemAgentMessage || s.When != acp.InTurn && s.When != acp.Late {
		return nil
	}
	text := s.Change.Text
	if s.Change.Replaced {
		// The whole text came once more: only what was not written yet is new.
		if item == v.last {
			if rest, ok := v.written.cut(text); ok {
				text = rest
			} else if text != "" {
				text = "\n" + text
			}
		} else if v.last != nil && !v.newline && text != "" {
			text = "\n" + text
		}
	} else if s.Change.Break {
		text = "\n" + text
	}
	if item != v.last {
		v.last, v.written = item, written{}
	}
	v.written.add(strings.TrimPrefix(text, "\n"))
	if err := v.write(text); err != nil {
		return err
	}
	if !s.Change.Replaced && s.Change.Text != "" {
		return nil // a chunk is one block, and this one is text
	}
	for _, p := range placeholders(s.Update) {
		if !v.newline {
			p = "\n" + p
		}
		if err := v.write(p + "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (v *turnView) write(text string) error {
	if text == "" {
		return nil
	}
	v.newline = strings.HasSuffix(text, "\n")
	_, err := io.WriteString(v.out, text)
	return err
}

// placeholders stand for content that is no text.
func placeholders(update json.RawMessage) []string {
	var u struct {
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(update, &u) != nil || len(u.Content) == 0 {
		return nil
	}
	var blocks []json.RawMessage
	if u.Content[0] == '[' {
		json.Unmarshal(u.Content, &blocks)
	} else {
		blocks = []json.RawMessage{u.Content}
	}
	var out []string
	for _, b := range blocks {
		if p := placeholder(acp.ViewBlock(b)); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func placeholder(b acp.BlockView) string {
	var parts []string
	switch b.Type {
	case "text", "":
		return ""
	case "image", "audio":
		parts = []string{b.Type, b.MimeType}
	case "resource_link":
		parts = []string{"link", b.Name, b.URI}
	case "resource":
		parts = []string{"file", b.URI, b.MimeType}
	default:
		parts = []string{b.Type}
	}
	if b.Data > 0 {
		parts = append(parts, sizeText(b.Data/4*3))
	}
	return "[" + strings.Join(strings.Fields(strings.Join(parts, " ")), " ") + "]"
}

func sizeText(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// finish ends the turn's output: a newline after text, the result after
// updates.
func (v *turnView) finish(res acp.TurnResult, err error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed != nil {
		return v.failed
	}
	var werr error
	switch {
	case v.isText():
		werr = v.out.Close()
		if werr == nil && !v.newline {
			werr = v.write("\n")
		}
	case v.updates && v.p.filter == nil && realError(err) == nil:
		werr = writeLine(v.e.out, map[string]any{"result": res})
	}
	return werr
}
