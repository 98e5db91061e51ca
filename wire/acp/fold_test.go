package acp

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folded applies updates to a new fold.
func folded(v Version, updates ...string) *Fold {
	f := NewFold("s1", v)
	apply(f, updates...)
	return f
}

func apply(f *Fold, updates ...string) (last Change) {
	for _, u := range updates {
		last = f.Update(json.RawMessage(u))
	}
	return last
}

// decoded is JSON with numbers as they are spelled.
func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

// wantJSON compares JSON, whatever the order of members.
func wantJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	if diff := cmp.Diff(decoded(t, []byte(want)), decoded(t, got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// wantItems compares the timeline.
func wantItems(t *testing.T, f *Fold, want ...string) {
	t.Helper()
	got, err := json.Marshal(f.Items())
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, got, "["+strings.Join(want, ",")+"]")
}

// brief is a timeline in a few words: type, id and text of each item.
func brief(f *Fold) string {
	var b strings.Builder
	for _, it := range f.Items() {
		b.WriteString(string(it.Type))
		switch {
		case it.Message != nil:
			b.WriteString(" " + it.Message.ID + " " + it.Message.Content.Text())
		case it.Tool != nil:
			b.WriteString(" " + it.Tool.ID + " " + it.Tool.Status)
		case it.Compaction != nil:
			b.WriteString(" " + it.Compaction.ID + " " + it.Compaction.Status + " " + it.Compaction.Summary.Text())
		case it.Terminal != nil:
			b.WriteString(" " + it.Terminal.ID + " " + string(it.Terminal.Output))
		case it.Plan != nil:
			b.WriteString(" " + it.Plan.ID)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func wantBrief(t *testing.T, f *Fold, want ...string) {
	t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", brief(f)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// paths lists where a change's problems are.
func paths(c Change) (list []string) {
	for _, p := range c.Problems {
		list = append(list, p.Path)
	}
	return list
}

// chunk, message and text are spelled out once.
func chunk(kind, id, text string) string {
	if id != "" {
		id = `"messageId":"` + id + `",`
	}
	return `{"sessionUpdate":"` + kind + `",` + id + `"content":` + text1(text) + `}`
}

func whole(kind, id string, texts ...string) string {
	blocks := make([]string, len(texts))
	for i, text := range texts {
		blocks[i] = text1(text)
	}
	return `{"sessionUpdate":"` + kind + `","messageId":"` + id + `","content":[` + strings.Join(blocks, ",") + `]}`
}

func text1(text string) string {
	return `{"type":"text","text":` + string(appendString(nil, text)) + `}`
}

func state(name, reason string) string {
	if reason != "" {
		reason = `,"stopReason":"` + reason + `"`
	}
	return `{"sessionUpdate":"state_update","state":"` + name + `"` + reason + `}`
}
