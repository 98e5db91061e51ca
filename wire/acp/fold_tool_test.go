package acp

import (
	"encoding/json"
	"slices"
	"testing"
)

func call(members string) string {
	return `{"sessionUpdate":"tool_call_update","toolCallId":"c"` + members + `}`
}

func callChunk(text string) string {
	return `{"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":{"type":"content","content":` + text1(text) + `}}`
}

// bare is a tool call of which nothing is known but its id.
const bare = `{"type":"tool_call","toolCallId":"c","title":null,"kind":"other","status":"pending","content":[],"locations":[],"rawInput":null,"rawOutput":null}`

func TestP48FirstUpdateCreatesLaterOnesPatch(t *testing.T) {
	f := NewFold("s1", V2)
	if c := apply(f, call(`,"title":"read it","kind":"read"`)); !c.Created || c.Item.Tool.Status != "pending" {
		t.Errorf("%+v", c)
	}
	if c := apply(f, call(`,"status":"in_progress","name":"cat"`)); c.Created {
		t.Error("a second entry")
	}
	wantItems(t, f, `{"type":"tool_call","toolCallId":"c","name":"cat","title":"read it","kind":"read","status":"in_progress",
		"content":[],"locations":[],"rawInput":null,"rawOutput":null}`)
}

func TestToolCallPatchesOfVersion2(t *testing.T) {
	full := call(`,"name":"n","title":"t","kind":"edit","status":"failed","content":[{"type":"terminal","terminalId":"x"}],
		"locations":[{"path":"/a","line":3}],"rawInput":{"n":1.50},"rawOutput":[12345678901234567890],"capabilities":{"cancel":{}},"_meta":{"a":1}`)
	kept := `{"type":"tool_call","toolCallId":"c","name":"n","title":"t","kind":"edit","status":"failed","content":[{"type":"terminal","terminalId":"x"}],
		"locations":[{"path":"/a","line":3}],"rawInput":{"n":1.50},"rawOutput":[12345678901234567890],"capabilities":{"cancel":{}},"_meta":{"a":1}}`
	wantItems(t, folded(V2, full), kept)
	wantItems(t, folded(V2, full, call("")), kept)
	wantItems(t, folded(V2, full, call(`,"name":null,"title":null,"kind":null,"status":null,"content":null,"locations":null,
		"rawInput":null,"rawOutput":null,"capabilities":null,"_meta":null`)), bare)
	f := folded(V2, full, call(`,"content":[],"locations":[]`))
	if tool := f.Tool("c"); len(tool.Content)+len(tool.Locations) != 0 || tool.Title != "t" {
		t.Errorf("%+v", tool)
	}
	for _, status := range []string{"pending", "in_progress", "paused", "completed", "failed", "cancelled", "_queued", "later"} {
		if got := folded(V2, call(`,"status":"`+status+`"`)).Tool("c").Status; got != status {
			t.Errorf("status %q, want %q", got, status)
		}
	}
}

func TestToolCallNullMeansUnchangedInVersion1(t *testing.T) {
	first := `{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","kind":"edit","status":"in_progress","content":[{"type":"content","content":` + text1("x") + `}],
		"locations":[{"path":"/a"}],"rawInput":{"a":1},"_meta":{"k":1}}`
	f := folded(V1, first, call(`,"title":null,"kind":null,"status":null,"content":null,"locations":null,"rawInput":null,"rawOutput":null,"_meta":null`))
	wantItems(t, f, `{"type":"tool_call","toolCallId":"c","title":"t","kind":"edit","status":"in_progress","content":[{"type":"content","content":`+text1("x")+`}],
		"locations":[{"path":"/a"}],"rawInput":{"a":1},"rawOutput":null,"_meta":{"k":1}}`)
	apply(f, call(`,"content":[],"rawOutput":"out"`))
	if tool := f.Tool("c"); len(tool.Content) != 0 || string(tool.RawOutput) != `"out"` {
		t.Errorf("%+v", tool)
	}
	if len(f.Warnings()) > 0 {
		t.Error(f.Warnings())
	}
}

func TestToolCallUpdateMayComeFirstInVersion1(t *testing.T) {
	f := folded(V1, call(`,"status":"completed"`), `{"sessionUpdate":"tool_call","toolCallId":"c","title":"late"}`)
	if tool := f.Tool("c"); tool.Status != "completed" || tool.Title != "late" || len(f.Items()) != 1 {
		t.Errorf("%+v", tool)
	}
}

func TestP80LifeOfAToolCall(t *testing.T) {
	f := folded(V2, call(`,"title":"check","status":"pending"`), call(`,"status":"in_progress"`), callChunk("half"),
		call(`,"status":"completed","content":[{"type":"content","content":`+text1("all good")+`}]`))
	wantItems(t, f, `{"type":"tool_call","toolCallId":"c","title":"check","kind":"other","status":"completed",
		"content":[{"type":"content","content":`+text1("all good")+`}],"locations":[],"rawInput":null,"rawOutput":null}`)
}

func TestP81ContentChunksAppendAndAnUpdateReplaces(t *testing.T) {
	texts := func(f *Fold) (list []string) {
		for _, entry := range f.Tool("c").Content {
			list = append(list, ViewToolContent(entry).Block.Text)
		}
		return list
	}
	f := folded(V2, callChunk("a"), callChunk("b"))
	if got := texts(f); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
	if c := apply(f, call(`,"content":[{"type":"content","content":`+text1("c")+`}]`)); !c.Replaced || c.Text != "c" {
		t.Errorf("%+v", c)
	}
	if c := apply(f, callChunk("d")); c.Replaced || c.Text != "d" {
		t.Errorf("%+v", c)
	}
	if got := texts(f); !slices.Equal(got, []string{"c", "d"}) {
		t.Errorf("%q", got)
	}
	apply(f, `{"sessionUpdate":"tool_call_content_chunk","toolCallId":"c","content":{"type":"terminal","terminalId":"t"},"_meta":{"n":1}}`, call(`,"status":"completed"`))
	if tool := f.Tool("c"); len(tool.Content) != 3 || tool.Meta != nil || tool.ChunkMeta[0].Block != 2 || string(tool.ChunkMeta[0].Meta) != `{"n":1}` {
		t.Errorf("%+v", tool)
	}
}

func TestDiffsOfBothDialects(t *testing.T) {
	old := ViewToolContent(json.RawMessage(`{"type":"diff","path":"/a","oldText":"x","newText":"y"}`)).Diff
	if old == nil || !old.HasTexts || old.OldText != "x" || old.NewText != "y" || old.Changes[0] != (DiffChange{Operation: "modify", Path: "/a"}) {
		t.Errorf("%+v", old)
	}
	created := ViewToolContent(json.RawMessage(`{"type":"diff","path":"/a","oldText":null,"newText":"y"}`)).Diff
	if created.Changes[0].Operation != "add" {
		t.Errorf("%+v", created)
	}
	patch := ViewToolContent(json.RawMessage(`{"type":"diff","changes":[{"operation":"move","oldPath":"/a","path":"/b","fileType":"text"},{"operation":"_touch","path":"/c"}],
		"patch":{"format":"git_patch","text":"diff"}}`)).Diff
	if patch.HasTexts || patch.Patch != "diff" || patch.PatchFormat != "git_patch" || len(patch.Changes) != 2 ||
		patch.Changes[0] != (DiffChange{"move", "/b", "/a", "text"}) || patch.Changes[1].Operation != "_touch" {
		t.Errorf("%+v", patch)
	}
	for entry, want := range map[string]string{
		`{"type":"diff"}`: "/content/0/path", `{"type":"diff","path":"/a"}`: "/content/0/newText",
		`{"type":"diff","changes":[{"path":"/a"}]}`:    "/content/0/changes/0/operation",
		`{"type":"terminal"}`:                          "/content/0/terminalId",
		`{"type":"content","content":{"type":"text"}}`: "/content/0/content/text",
		`{}`: "/content/0/type",
	} {
		c := folded(V2).Update(json.RawMessage(call(`,"content":[` + entry + `]`)))
		if got := paths(c); len(got) == 0 || got[0] != want || !c.Applied {
			t.Errorf("%s: %v, want %s", entry, got, want)
		}
	}
	if c := apply(NewFold("s", V2), call(`,"content":[{"type":"_chart","x":1}]`)); c.Malformed() {
		t.Errorf("a later type is malformed: %v", c.Problems)
	}
}

func TestLocationsKeepTheirDigits(t *testing.T) {
	if got := ViewLocation(json.RawMessage(`{"path":"/a","line":12}`)); got != (LocationView{"/a", "12"}) {
		t.Errorf("%+v", got)
	}
	c := apply(NewFold("s", V1), call(`,"locations":[{"path":"/a","line":null},{"line":"x"}]`))
	if got := paths(c); !slices.Equal(got, []string{"/locations/1/path", "/locations/1/line"}) {
		t.Errorf("%v", got)
	}
}

func TestP93P98CancelMarksUnfinishedCalls(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		f := NewFold("s1", v)
		status := func(id, status string) string {
			return `{"sessionUpdate":"tool_call_update","toolCallId":"` + id + `","status":"` + status + `"}`
		}
		apply(f, status("done", "completed"), status("bad", "failed"), status("run", "in_progress"), status("wait", "pending"), status("odd", "_queued"))
		marked := f.CancelSent()
		if len(marked) != 3 {
			t.Errorf("%d marked", len(marked))
		}
		wantBrief(t, f, "tool_call done completed", "tool_call bad failed", "tool_call run cancelled", "tool_call wait cancelled", "tool_call odd cancelled")
		apply(f, status("run", "completed"), `{"sessionUpdate":"tool_call_update","toolCallId":"wait","title":"still"}`)
		wantBrief(t, f, "tool_call done completed", "tool_call bad failed", "tool_call run completed", "tool_call wait cancelled", "tool_call odd cancelled")
	}
}

func TestP77IdleLeavesOpenToolCallsUnfinished(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[]`))
	turn.Result(json.RawMessage(`{"messageId":"u"}`))
	apply(f, state("running", ""), call(`,"status":"in_progress"`), state("idle", "refusal"))
	if reason, done := turn.Done(); !done || reason != StopRefusal {
		t.Errorf("%q %v", reason, done)
	}
	if tool := f.Tool("c"); tool.Status != "in_progress" || tool.Finished() {
		t.Errorf("status %q", tool.Status)
	}
}

func TestP82TerminalBytesSplitInsideACharacter(t *testing.T) {
	f := NewFold("s1", V2)
	bytes := func(id, base64 string) string {
		return `{"sessionUpdate":"terminal_output_chunk","terminalId":"` + id + `","data":"` + base64 + `"}`
	}
	// "a🚀b" is 61 f0 9f 9a 80 62; another terminal's bytes come in between.
	var shown string
	for _, u := range []string{bytes("t", "YfA="), bytes("u", "/w=="), bytes("t", "n5o="), bytes("t", "gGI="), bytes("t", "")} {
		if c := apply(f, u); c.Item.Terminal.ID == "t" {
			shown += c.Text
		}
	}
	if shown != "a🚀b" {
		t.Errorf("live %q", shown)
	}
	wantItems(t, f, `{"type":"terminal","terminalId":"t","output":"a🚀b"}`, `{"type":"terminal","terminalId":"u","output":"\ufffd","outputBase64":"/w=="}`)
	for data, path := range map[string]string{`"data":"###"`: "/data", `"data":null`: "/data", `"x":1`: "/data"} {
		if c := apply(f, `{"sessionUpdate":"terminal_output_chunk","terminalId":"t",`+data+`}`); !slices.Equal(paths(c), []string{path}) || c.Applied {
			t.Errorf("%s: %+v", data, c)
		}
	}
}

func TestTerminalPatches(t *testing.T) {
	update := func(members string) string {
		return `{"sessionUpdate":"terminal_update","terminalId":"t"` + members + `}`
	}
	f := folded(V2, update(`,"command":"make","cwd":"/w","size":{"cols":80,"rows":24},"output":{"data":"b25l"}`),
		`{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"IHR3bw=="}`, update(`,"exitStatus":{"exitCode":null,"signal":"SIGTERM"}`))
	wantItems(t, f, `{"type":"terminal","terminalId":"t","command":"make","cwd":"/w","output":"one two","exitStatus":{"exitCode":null,"signal":"SIGTERM"},"size":{"cols":80,"rows":24}}`)
	if c := apply(f, update(`,"output":{"data":"dGhyZWU"}`)); !c.Replaced || c.Text != "three" {
		t.Errorf("a snapshot replaces: %+v", c)
	}
	apply(f, update(`,"command":null,"cwd":null,"output":null,"exitStatus":null,"size":null`))
	wantItems(t, f, `{"type":"terminal","terminalId":"t","output":""}`)
	if c := apply(f, update(`,"output":{"data":"%"},"exitStatus":"gone","command":"kept"`)); !slices.Equal(paths(c), []string{"/exitStatus", "/output/data"}) || f.Items()[0].Terminal.Command != "kept" {
		t.Errorf("%+v", c)
	}
}

func TestTerminalsInToolCallMetaOfVersion1(t *testing.T) {
	f := folded(V1, `{"sessionUpdate":"tool_call","toolCallId":"c","title":"make","content":[{"type":"terminal","terminalId":"t"}],"_meta":{"terminal_info":{"terminal_id":"t","cwd":"/w"}}}`,
		call(`,"_meta":{"terminal_output_delta":{"terminal_id":"t","data":"one "}}`),
		call(`,"status":"completed","_meta":{"terminal_output":{"terminal_id":"t","data":"two"},"terminal_exit":{"terminal_id":"t","exit_code":2,"signal":null}}`),
		call(`,"_meta":{"terminal_output":"other","terminal_exit":{"exit_code":1},"terminal_info":[]}`))
	if got := string(f.Items()[1].AppendJSON(nil)); got != `{"type":"terminal","terminalId":"t","cwd":"/w","output":"one two","exitStatus":{"exitCode":2,"signal":null}}` || len(f.Items()) != 2 {
		t.Errorf("%s", got)
	}
	if folded(V2, call(`,"_meta":{"terminal_info":{"terminal_id":"t"}}`)).Items()[0].Tool.Meta == nil {
		t.Error("_meta is lost")
	}
}
