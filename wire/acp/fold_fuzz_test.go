package acp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// FuzzFold folds lines of updates: nothing panics, the fold stays valid JSON,
// what is no update is reported, and materialized upserts that come once more
// change nothing.
func FuzzFold(f *testing.F) {
	files, err := filepath.Glob("testdata/updates/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	var all [2][]byte
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var line bytes.Buffer
		if err := json.Compact(&line, data); err != nil {
			f.Fatal(err)
		}
		line.WriteByte('\n')
		all[i%2] = append(all[i%2], line.Bytes()...)
		f.Add(line.Bytes(), i%2 == 0)
	}
	f.Add(all[0], true)
	f.Add(all[1], false)
	f.Add([]byte("null\n{}\n{\"sessionUpdate\":\"state_update\",\"state\":\"idle\"}\n"), false)
	f.Fuzz(func(t *testing.T, data []byte, one bool) {
		v := V2
		if one {
			v = V1
		}
		fold := NewFold("s1", v)
		turn := fold.Prompt(json.RawMessage(`[{"type":"text","text":"ask"}]`))
		lines := bytes.Split(data, []byte("\n"))
		for i, line := range lines {
			c := fold.Update(line)
			if !c.Applied && !c.Malformed() {
				t.Errorf("%q was neither applied nor reported: %+v", line, c)
			}
			if c.Unknown && (c.Item == nil || !bytes.Equal(c.Item.Raw, line)) {
				t.Errorf("%q is not kept", line)
			}
			switch i {
			case len(lines) / 2:
				turn.Result(json.RawMessage(`{"messageId":"u-1","stopReason":"end_turn"}`))
			case len(lines) / 3:
				item, _ := fold.Permission(line)
				fold.PermissionAnswered(item, line)
				fold.CancelSent()
			}
		}
		state := fold.AppendJSON(nil)
		if !json.Valid(state) {
			t.Fatalf("no JSON: %s", state)
		}
		if v == V1 {
			return
		}
		fold.BeginHistory()
		for _, update := range materialized(fold) {
			if c := fold.Update(update); c.Created {
				t.Errorf("%s doubled what was there", update)
			}
		}
		fold.EndHistory(true)
		if again := itemsOf(t, fold.AppendJSON(nil)); !bytes.Equal(again, itemsOf(t, state)) {
			t.Errorf("replayed history changed the items:\n%s\n%s", itemsOf(t, state), again)
		}
	})
}

// itemsOf is the timeline in a fold's JSON, without chunks' metadata, which a
// materialized entry does not carry.
func itemsOf(t *testing.T, fold []byte) []byte {
	var doc struct{ Items []map[string]json.RawMessage }
	if err := json.Unmarshal(fold, &doc); err != nil {
		t.Fatal(err)
	}
	for _, item := range doc.Items {
		delete(item, "chunkMeta")
	}
	out, err := json.Marshal(doc.Items)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// materialized is the history as an agent replays it: whole entries.
func materialized(f *Fold) (updates []json.RawMessage) {
	for _, it := range f.Items() {
		switch it.Type {
		case ItemUserMessage, ItemAgentMessage, ItemAgentThought, ItemSessionMessage:
			if it.Message.ID == "" {
				continue
			}
			o := jsonObject{dst: []byte("{")}
			o.text("sessionUpdate", string(it.Type))
			o.text("messageId", it.Message.ID)
			o.key("content")
			o.dst = it.Message.Content.AppendJSON(o.dst)
			updates = append(updates, append(o.dst, '}'))
		case ItemCompaction:
			if it.Compaction.Status == "" {
				continue
			}
			o := jsonObject{dst: []byte("{")}
			o.text("sessionUpdate", "compaction_update")
			o.text("compactionId", it.Compaction.ID)
			o.text("status", it.Compaction.Status)
			o.key("summary")
			o.dst = it.Compaction.Summary.AppendJSON(o.dst)
			updates = append(updates, append(o.dst, '}'))
		case ItemToolCall:
			o := jsonObject{dst: []byte("{")}
			o.text("sessionUpdate", "tool_call_update")
			o.text("toolCallId", it.Tool.ID)
			o.text("status", it.Tool.Status)
			o.array("content", it.Tool.Content)
			updates = append(updates, append(o.dst, '}'))
		}
	}
	return updates
}
