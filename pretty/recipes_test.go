package pretty

import (
	"bytes"
	"testing"

	"github.com/acptool/acptool/wire"
)

// The README's recipes: each is a filter over messages, over folded sessions
// (show --format transcript --json) or over statistics (show --format stats
// --json).
func TestRecipes(t *testing.T) {
	v1, v2 := script(t, "v1.script"), script(t, "v2.script")
	const messages, folded, stats = 0, 1, 2
	for _, c := range []struct {
		name, filter string
		over         int
		raw          bool
		entries      []wire.Entry
		want         string
	}{
		{
			"agent text only", `.items[] | select(.type == "agent_message") | [.content[].text? // empty] | add`,
			folded, true, v2, "earlier answer\n",
		},
		{
			"agent text of the last turn", `.text[:15]`,
			folded, true, v1, "I will look at \n",
		},
		{
			"tool calls that failed", `.items[] | select(.type == "tool_call" and .status == "failed") | "\(.toolCallId) \(.title)"`,
			folded, true, v2, "t1 make test\n",
		},
		{
			"files touched", `[.items[] | select(.type == "tool_call") | .locations[]?.path, (.content[]? | .path?, .changes[]?.path)] | map(values) | unique[]`,
			folded, true, append(v1[:len(v1):len(v1)], v2...), "/home/me/project/main.go\n/w/b\n",
		},
		{
			"cost per turn", `foreach (., inputs) as $m ({before: 0, now: 0};
  .turn = null
  | if $m.params.update.sessionUpdate? == "usage_update" then .now = ($m.params.update.cost.amount? // .now) else . end
  | if $m.result.stopReason? or $m.params.update.stopReason? then .turn = .now - .before | .before = .now else . end;
  .turn | values)`,
			messages, false, v2, "0.045\n",
		},
		{
			"slowest request (| sort -n | tail -1)", `select($ms) | "\($ms) \($method)"`,
			messages, true, v1, "412 initialize\n150 session/new\n2000 session/request_permission\n1 fs/read_text_file\n1 fs/write_text_file\n3000 session/prompt\n",
		},
		{
			"count by update kind", `reduce ((., inputs) | .params.update.sessionUpdate? // empty) as $kind ({}; .[$kind] += 1)`,
			messages, false, v1, `{"_vendor_thing":1,"agent_message_chunk":3,"agent_thought_chunk":2,"available_commands_update":1,"plan":1,"tool_call":1,"tool_call_update":1,"usage_update":1}` + "\n",
		},
		{
			"time to first token", `.turns.firstChunkMs.p50`,
			stats, false, v1, "300\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			f, err := CompileFilter(c.filter, FilterOptions{Out: &out, Err: &errs, Raw: c.raw})
			if err != nil {
				t.Fatal(err)
			}
			document := func(doc []byte) error { return f.Apply(doc, Vars{}) }
			switch c.over {
			case messages:
				play(t, NewFilterStream(f, StreamOptions{}), c.entries)
			case folded:
				play(t, NewFolding(&out, FoldingOptions{Document: document}), c.entries)
			case stats:
				play(t, NewStats(&out, StatsOptions{Document: document}), c.entries)
			}
			if out.String() != c.want || errs.Len() > 0 {
				t.Errorf("got %q, want %q (errors %q)", out.String(), c.want, errs.String())
			}
		})
	}
}
