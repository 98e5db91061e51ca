package acp

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestP40PlansAreKeyedAndReplaced(t *testing.T) {
	plan := func(id, rest string) string {
		return `{"sessionUpdate":"plan_update","plan":{"planId":"` + id + `",` + rest + `}}`
	}
	entry := func(content, status string) string {
		return `{"content":"` + content + `","priority":"low","status":"` + status + `"}`
	}
	for _, v := range []Version{V1, V2} {
		f := folded(v, plan("p", `"type":"items","entries":[`+entry("a", "pending")+`,`+entry("b", "pending")+`]`), chunk("agent_message_chunk", "m", "x"),
			plan("q", `"type":"_mindmap","nodes":[1.50]`), plan("p", `"type":"items","entries":[`+entry("a", "completed")+`]`))
		wantItems(t, f, `{"type":"plan","planId":"p","plan":{"planId":"p","type":"items","entries":[`+entry("a", "completed")+`]}}`,
			`{"type":"agent_message","messageId":"m","content":[`+text1("x")+`]}`,
			`{"type":"plan","planId":"q","plan":{"planId":"q","type":"_mindmap","nodes":[1.50]}}`)
		apply(f, `{"sessionUpdate":"plan_removed","planId":"p"}`, `{"sessionUpdate":"plan_removed","planId":"never seen"}`)
		if items := f.Items(); len(items) != 3 || !items[0].Plan.Removed || items[2].Plan.Removed {
			t.Errorf("%s", brief(f))
		}
		apply(f, plan("p", `"type":"markdown","content":"# again"`))
		if p := f.Items()[0].Plan; p.Removed || ViewPlan(p.Plan).Content != "# again" {
			t.Errorf("%+v", p)
		}
		if len(f.Warnings()) > 0 {
			t.Error(f.Warnings())
		}
	}
	for update, path := range map[string]string{
		`{"sessionUpdate":"plan_update"}`:                                                      "/plan",
		`{"sessionUpdate":"plan_update","plan":[]}`:                                            "/plan",
		`{"sessionUpdate":"plan_update","plan":{"type":"items","entries":[]}}`:                 "/plan/planId",
		`{"sessionUpdate":"plan_update","plan":{"planId":"p"}}`:                                "/plan/type",
		`{"sessionUpdate":"plan_update","plan":{"planId":"p","type":"items"}}`:                 "/plan/entries",
		`{"sessionUpdate":"plan_update","plan":{"planId":"p","type":"file"}}`:                  "/plan/uri",
		`{"sessionUpdate":"plan_update","plan":{"planId":"p","type":"items","entries":[{}]}}`:  "/plan/entries/0/content",
		`{"sessionUpdate":"plan_update","plan":{"planId":"p","type":"items","entries":["a"]}}`: "/plan/entries/0",
		`{"sessionUpdate":"plan_removed"}`:                                                     "/planId",
	} {
		if c := apply(NewFold("s1", V2), update); len(c.Problems) == 0 || c.Problems[0].Path != path {
			t.Errorf("%s: %v", update, c.Problems)
		}
	}
}

func TestPlanOfVersion1IsOnePerTurn(t *testing.T) {
	plan := func(content string) string {
		return `{"sessionUpdate":"plan","entries":[{"content":"` + content + `","priority":"high","status":"pending"}],"_meta":{"k":1}}`
	}
	f := NewFold("s1", V1)
	f.Prompt(json.RawMessage(`[]`)).Result(json.RawMessage(`{"stopReason":"end_turn"}`))
	apply(f, plan("a"), chunk("agent_message_chunk", "", "x"), plan("b"))
	f.Prompt(json.RawMessage(`[]`))
	apply(f, plan("c"))
	var got []string
	for _, it := range f.Items() {
		if it.Plan != nil {
			got = append(got, ViewPlan(it.Plan.Plan).Entries[0].Content)
		}
	}
	if !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%q", got)
	}
	wantJSON(t, f.Items()[1].AppendJSON(nil), `{"type":"plan","plan":{"type":"items","entries":[{"content":"b","priority":"high","status":"pending"}],"_meta":{"k":1}}}`)
}
