package acp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func compact(members string) string {
	return `{"sessionUpdate":"compaction_update","compactionId":"k",` + members + `}`
}

func compactChunk(text string) string {
	return `{"sessionUpdate":"compaction_summary_chunk","compactionId":"k","content":` + text1(text) + `}`
}

func TestP59CompactionSplitsNothing(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		f := folded(v, chunk("agent_message_chunk", "m", "a"), compact(`"status":"in_progress"`), chunk("agent_message_chunk", "m", "b"),
			call(`,"status":"completed"`), compactChunk("kept"), compact(`"status":"completed"`))
		wantBrief(t, f, "agent_message m ab", "compaction k completed kept", "tool_call c completed")
	}
}

func TestP60CompactionNeedsIDAndStatus(t *testing.T) {
	for update, path := range map[string]string{
		`{"sessionUpdate":"compaction_update","status":"completed"}`:                       "/compactionId",
		`{"sessionUpdate":"compaction_update","compactionId":null,"status":"completed"}`:   "/compactionId",
		`{"sessionUpdate":"compaction_update","compactionId":"k"}`:                         "/status",
		`{"sessionUpdate":"compaction_update","compactionId":"k","status":null}`:           "/status",
		`{"sessionUpdate":"compaction_update","compactionId":"k","status":3}`:              "/status",
		`{"sessionUpdate":"compaction_summary_chunk","content":` + text1("x") + `}`:        "/compactionId",
		`{"sessionUpdate":"compaction_summary_chunk","compactionId":"k","content":null}`:   "/content",
		`{"sessionUpdate":"compaction_summary_chunk","compactionId":"k","content":"text"}`: "/content",
	} {
		f := NewFold("s1", V2)
		if c := apply(f, update); !slices.Equal(paths(c), []string{path}) || c.Applied || c.Unknown || len(f.Items()) > 0 {
			t.Errorf("%s: %+v", update, c)
		}
		if w := f.Warnings(); len(w) != 1 || string(w[0].Raw) != update {
			t.Errorf("%s: payload is lost: %+v", update, w)
		}
	}
}

func TestP62P63P64CompactionStatusesAreKept(t *testing.T) {
	for _, status := range []string{"in_progress", "completed", "failed", "cancelled", "_paused", "later"} {
		f := folded(V2, compact(`"status":"`+status+`"`))
		wantBrief(t, f, "compaction k "+status+" ")
		c := apply(f, compactChunk("more"))
		ended := status == "completed" || status == "failed" || status == "cancelled"
		if c.Malformed() != ended {
			t.Errorf("chunk after %s: %v", status, c.Problems)
		}
	}
}

func TestP65ChunkOutOfPlaceIsReportedAndKept(t *testing.T) {
	f := NewFold("s1", V2)
	if c := apply(f, compactChunk("early")); !slices.Equal(paths(c), []string{"/compactionId"}) || !c.Applied {
		t.Errorf("%+v", c)
	}
	apply(f, compact(`"status":"completed"`))
	if c := apply(f, compactChunk(", late")); !slices.Equal(paths(c), []string{"/compactionId"}) || !c.Applied {
		t.Errorf("%+v", c)
	}
	wantBrief(t, f, "compaction k completed early, late")
}

func TestP67P69P70P73CompactionPatches(t *testing.T) {
	begin := compact(`"status":"in_progress"`)
	for _, c := range []struct {
		name    string
		updates []string
		want    string
	}{
		{"stream only", []string{begin, compactChunk("a"), compactChunk("b"), compact(`"status":"completed"`)}, "completed ab"},
		{"summary replaces", []string{begin, compactChunk("a"), compact(`"status":"completed","summary":[` + text1("all") + `]`)}, "completed all"},
		{"chunks append to a summary", []string{compact(`"status":"completed","summary":[` + text1("all") + `]`), compactChunk("+")}, "completed all+"},
		{"null clears partial output", []string{begin, compactChunk("a"), compact(`"status":"failed","summary":null`)}, "failed "},
		{"an empty array clears", []string{begin, compactChunk("a"), compact(`"status":"cancelled","summary":[]`)}, "cancelled "},
		{"omitted keeps, also in a replay", []string{begin, compactChunk("a"), compact(`"status":"completed"`), compact(`"status":"completed"`)}, "completed a"},
		{"first sight with null", []string{compact(`"status":"completed","summary":null,"error":null,"_meta":null`)}, "completed "},
	} {
		f := folded(V2, c.updates...)
		if got := strings.TrimSuffix(brief(f), "\n"); got != "compaction k "+c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	f := folded(V2, compact(`"status":"failed","error":"too long","_meta":{"a":1,"b":2}`), compact(`"status":"failed"`))
	if k := f.Items()[0].Compaction; k.Error != "too long" || string(k.Meta) != `{"a":1,"b":2}` {
		t.Errorf("omission changed %+v", k)
	}
	apply(f, compact(`"status":"failed","error":"far too long","_meta":{"b":3}`))
	if k := f.Items()[0].Compaction; k.Error != "far too long" || string(k.Meta) != `{"b":3}` {
		t.Errorf("a value did not replace: %+v", k)
	}
	apply(f, compact(`"status":"failed","error":null,"_meta":null`))
	wantItems(t, f, `{"type":"compaction","compactionId":"k","status":"failed","summary":[]}`)
}

func TestP68SummaryAndErrorOnlyWithTheirStatus(t *testing.T) {
	for members, path := range map[string]string{
		`"status":"in_progress","summary":[` + text1("x") + `]`: "/summary",
		`"status":"failed","summary":[` + text1("x") + `]`:      "/summary",
		`"status":"_odd","summary":[` + text1("x") + `]`:        "/summary",
		`"status":"completed","error":"x"`:                      "/error",
		`"status":"in_progress","error":"x"`:                    "/error",
	} {
		f := NewFold("s1", V2)
		if c := apply(f, compact(members)); !slices.Equal(paths(c), []string{path}) {
			t.Errorf("%s: %v", members, c.Problems)
		}
		if k := f.Items()[0].Compaction; k.Summary.Text()+k.Error != "x" {
			t.Errorf("%s: value is lost", members)
		}
	}
	for _, members := range []string{`"status":"in_progress","summary":[]`, `"status":"failed","error":"x"`, `"status":"failed","summary":null`, `"status":"in_progress","error":null`} {
		if c := apply(NewFold("s1", V2), compact(members)); c.Malformed() {
			t.Errorf("%s: %v", members, c.Problems)
		}
	}
}

func TestP72P35ReplayedHistoryReplacesAndDoublesNothing(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[` + text1("go on") + `]`))
	turn.Result(json.RawMessage(`{"messageId":"u"}`))
	apply(f, chunk("user_message_chunk", "u", "go on"), state("running", ""), chunk("agent_thought_chunk", "t", "hm"),
		compact(`"status":"in_progress"`), compactChunk("so far"), compact(`"status":"completed"`),
		call(`,"title":"look","status":"pending"`), call(`,"status":"completed","content":[{"type":"terminal","terminalId":"x"}]`),
		`{"sessionUpdate":"terminal_output_chunk","terminalId":"x","data":"b2s="}`,
		`{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p","entries":[]}}`,
		chunk("agent_message_chunk", "a", "done"), state("idle", "end_turn"))
	before := string(f.AppendJSON(nil))
	f.BeginHistory()
	apply(f, whole("user_message", "u", "go on"), whole("agent_thought", "t", "hm"),
		compact(`"status":"completed","summary":[`+text1("so far")+`]`),
		call(`,"title":"look","status":"completed","content":[{"type":"terminal","terminalId":"x"}]`),
		`{"sessionUpdate":"terminal_update","terminalId":"x","output":{"data":"b2s="}}`,
		`{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p","entries":[]}}`,
		whole("agent_message", "a", "done"), state("idle", "end_turn"))
	f.EndHistory(true)
	if diff := cmp.Diff(before, string(f.AppendJSON(nil))); diff != "" {
		t.Error(diff)
	}
}

func TestP74P75CompactionDropsNoHistoryAndLeavesUsageAlone(t *testing.T) {
	f := folded(V2, whole("user_message", "u", "long"), whole("agent_message", "a", "story"), `{"sessionUpdate":"usage_update","used":900,"size":1000}`,
		compact(`"status":"completed","summary":[`+text1("# Short")+`]`))
	wantBrief(t, f, "user_message u long", "agent_message a story", "compaction k completed # Short")
	if string(f.Usage()) != `{"used":900,"size":1000}` {
		t.Errorf("usage %s", f.Usage())
	}
}
