package acp

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// messageKinds are the kinds that follow the message rules: upsert and chunk.
var messageKinds = [][2]string{
	{"user_message", "user_message_chunk"},
	{"agent_message", "agent_message_chunk"},
	{"agent_thought", "agent_thought_chunk"},
	{"session_message", "session_message_chunk"},
}

func TestU15WholeAndChunkedHistoryFoldToTheSameText(t *testing.T) {
	chunked := folded(V2,
		chunk("user_message_chunk", "u", "name a "), chunk("user_message_chunk", "u", "river"),
		chunk("agent_thought_chunk", "t", "easy"),
		chunk("agent_message_chunk", "a", "the "), chunk("agent_message_chunk", "a", "Rhine"))
	atOnce := folded(V2,
		whole("user_message", "u", "name a river"), whole("agent_thought", "t", "easy"), whole("agent_message", "a", "the Rhine"))
	if diff := cmp.Diff(brief(atOnce), brief(chunked)); diff != "" {
		t.Error(diff)
	}
	if chunked.Text() != "the Rhine" || atOnce.Text() != "the Rhine" {
		t.Errorf("texts %q and %q", chunked.Text(), atOnce.Text())
	}
}

func TestU16P41MessageWithoutIDIsReportedAndShown(t *testing.T) {
	for _, kinds := range messageKinds {
		for i, update := range []string{
			`{"sessionUpdate":"` + kinds[1] + `","content":` + text1("hm") + `}`,
			`{"sessionUpdate":"` + kinds[1] + `","messageId":null,"content":` + text1("hm") + `}`,
			`{"sessionUpdate":"` + kinds[1] + `","messageId":"","content":` + text1("hm") + `}`,
			`{"sessionUpdate":"` + kinds[1] + `","messageId":7,"content":` + text1("hm") + `}`,
			`{"sessionUpdate":"` + kinds[0] + `","content":[` + text1("hm") + `]}`,
		} {
			f := NewFold("s1", V2)
			c := apply(f, update)
			if !slices.Equal(paths(c), []string{"/messageId"}) || c.Unknown {
				t.Errorf("%s %d: %+v", kinds[0], i, c)
			}
			wantBrief(t, f, kinds[0]+"  hm")
		}
	}
	// An id is opaque: nothing is read from it or cut off it.
	id := `müsli/../"\` + "\u0000" + ` 123456789012345678901234567890`
	f := folded(V2, `{"sessionUpdate":"agent_message_chunk","messageId":`+string(appendString(nil, id))+`,"content":`+text1("x")+`}`)
	if got := f.Items()[0].Message.ID; got != id {
		t.Errorf("id %q", got)
	}
}

func TestU17U18U20U21U22P42P44P45P47MessagePatches(t *testing.T) {
	for _, kinds := range messageKinds {
		set := func(texts ...string) string { return whole(kinds[0], "m", texts...) }
		add := func(text string) string { return chunk(kinds[1], "m", text) }
		patch := func(members string) string {
			return `{"sessionUpdate":"` + kinds[0] + `","messageId":"m"` + members + `}`
		}
		for _, c := range []struct {
			name    string
			updates []string
			want    []string
		}{
			{"the second update replaces", []string{set("a"), set("b")}, []string{"b"}},
			{"chunks append", []string{add("a"), add("b"), add("c")}, []string{"a", "b", "c"}},
			{"an update replaces what chunks gave", []string{add("a"), add("b"), set("c")}, []string{"c"}},
			{"chunks append to an update", []string{set("a"), add("b")}, []string{"a", "b"}},
			{"omitted content keeps", []string{add("a"), patch(`,"_meta":{"k":1}`)}, []string{"a"}},
			{"null clears", []string{add("a"), patch(`,"content":null`)}, nil},
			{"an empty array clears", []string{add("a"), patch(`,"content":[]`)}, nil},
			{"a cleared message takes chunks", []string{set("a"), patch(`,"content":null`), add("b")}, []string{"b"}},
			{"the document's example", []string{set("A"), add("B"), set("C"), add("D")}, []string{"C", "D"}},
			{"a first update may lack content", []string{patch("")}, nil},
		} {
			f := folded(V2, c.updates...)
			if n := len(f.Items()); n != 1 {
				t.Errorf("%s: %s: %d items", kinds[0], c.name, n)
				continue
			}
			var got []string
			for block := range f.Items()[0].Message.Content.Blocks() {
				got = append(got, ViewBlock(block).Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %s: %q, want %q", kinds[0], c.name, got, c.want)
			}
			if len(f.Warnings()) > 0 {
				t.Errorf("%s: %s: %+v", kinds[0], c.name, f.Warnings())
			}
		}
	}
}

func TestU19P71OrderOfArrivalDecides(t *testing.T) {
	set, add := whole("agent_message", "m", "C"), chunk("agent_message_chunk", "m", "A")
	wantBrief(t, folded(V2, add, set), "agent_message m C")
	wantBrief(t, folded(V2, set, add), "agent_message m CA")

	start := func(id string) string {
		return `{"sessionUpdate":"compaction_update","compactionId":"` + id + `","status":"in_progress"}`
	}
	sum := func(id, text string) string {
		return `{"sessionUpdate":"compaction_summary_chunk","compactionId":"` + id + `","content":` + text1(text) + `}`
	}
	wantBrief(t, folded(V2, start("x"), start("y"), sum("x", "1"), sum("y", "2"), sum("x", "3")),
		"compaction x in_progress 13", "compaction y in_progress 2")
}

func TestP43P44ChangedIDIsAnotherMessage(t *testing.T) {
	for _, kinds := range messageKinds {
		f := folded(V2, chunk(kinds[1], "x", "a"), chunk(kinds[1], "y", "b"), chunk(kinds[1], "x", "c"))
		wantBrief(t, f, kinds[0]+" x ac", kinds[0]+" y b")
	}
}

func TestMessagesAreKeyedByRoleToo(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		f := folded(v, chunk("agent_thought_chunk", "m", "hm"), chunk("agent_message_chunk", "m", "yes"))
		wantBrief(t, f, "agent_thought m hm", "agent_message m yes")
	}
}

func TestP20P46P66ChunkMetaStaysWithTheChunk(t *testing.T) {
	for _, kinds := range messageKinds {
		f := folded(V2,
			`{"sessionUpdate":"`+kinds[0]+`","messageId":"m","_meta":{"of":"message"}}`,
			chunk(kinds[1], "m", "a"),
			`{"sessionUpdate":"`+kinds[1]+`","messageId":"m","content":`+text1("b")+`,"_meta":{"of":"chunk"}}`)
		wantItems(t, f, `{"type":"`+kinds[0]+`","messageId":"m","content":[`+text1("a")+`,`+text1("b")+`],
			"chunkMeta":[{"block":1,"_meta":{"of":"chunk"}}],"_meta":{"of":"message"}}`)
	}
	f := folded(V2,
		`{"sessionUpdate":"compaction_update","compactionId":"k","status":"in_progress"}`,
		`{"sessionUpdate":"compaction_summary_chunk","compactionId":"k","content":`+text1("a")+`,"_meta":{"of":"chunk"}}`,
		`{"sessionUpdate":"compaction_summary_chunk","compactionId":"k","content":`+text1("b")+`,"_meta":null}`)
	wantItems(t, f, `{"type":"compaction","compactionId":"k","status":"in_progress","summary":[`+text1("a")+`,`+text1("b")+`],
		"chunkMeta":[{"block":0,"_meta":{"of":"chunk"}}]}`)
}

func TestVersion1RunsOfChunksWithoutIDs(t *testing.T) {
	call := `{"sessionUpdate":"tool_call","toolCallId":"c","title":"look"}`
	more := `{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}`
	agent := func(s string) string { return chunk("agent_message_chunk", "", s) }
	for _, c := range []struct {
		name    string
		updates []string
		want    []string
	}{
		{"one role is one message", []string{agent("a"), agent("b")}, []string{"agent_message  ab"}},
		{"another role ends it", []string{agent("a"), chunk("agent_thought_chunk", "", "h"), agent("b")},
			[]string{"agent_message  a", "agent_thought  h", "agent_message  b"}},
		{"a tool call ends it", []string{agent("a"), call, agent("b")}, []string{"agent_message  a", "tool_call c pending", "agent_message  b"}},
		{"news of a known call does not", []string{call, agent("a"), more, agent("b")}, []string{"tool_call c completed", "agent_message  ab"}},
		{"a message with an id ends it", []string{agent("a"), chunk("agent_message_chunk", "m", "b"), agent("c")},
			[]string{"agent_message  a", "agent_message m b", "agent_message  c"}},
		{"null is no id", []string{agent("a"), `{"sessionUpdate":"agent_message_chunk","messageId":null,"content":` + text1("b") + `}`},
			[]string{"agent_message  ab"}},
		{"other kinds do not end it", []string{agent("a"), `{"sessionUpdate":"usage_update","used":1,"size":2}`, `{"sessionUpdate":"_x"}`, agent("b")},
			[]string{"agent_message  ab", "unknown"}},
		{"an id goes on behind a tool call", []string{chunk("agent_message_chunk", "m", "a"), call, chunk("agent_message_chunk", "m", "b")},
			[]string{"agent_message m ab", "tool_call c pending"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := folded(V1, c.updates...)
			wantBrief(t, f, c.want...)
			if len(f.Warnings()) > 0 {
				t.Error(f.Warnings())
			}
		})
	}
}

func TestP12SessionMessagesAndThoughtsAreNoAnswer(t *testing.T) {
	f := folded(V2,
		whole("user_message", "u", "ask"), chunk("agent_thought_chunk", "t", "THOUGHT"),
		chunk("session_message_chunk", "s", "BETWEEN SESSIONS"), chunk("agent_message_chunk", "a", "answer"))
	if f.Text() != "answer" {
		t.Errorf("text %q", f.Text())
	}
}

func TestP15P16P17P18P19ParticipantsOfSessionMessages(t *testing.T) {
	first := `{"sessionUpdate":"session_message_chunk","messageId":"m","content":` + text1("look ") + `}`
	f := NewFold("child", V2)
	if c := apply(f, chunk("agent_message_chunk", "a", "x"), first); !c.Created {
		t.Error("the first chunk did not create the entry")
	}
	apply(f, chunk("session_message_chunk", "m", "there"), `{"sessionUpdate":"session_message","messageId":"m","senderSessionId":"parent","recipientSessionId":"child"}`)
	want := `{"type":"session_message","messageId":"m","senderSessionId":"parent","recipientSessionId":"child",
		"content":[` + text1("look ") + `,` + text1("there") + `]}`
	answer := `{"type":"agent_message","messageId":"a","content":[` + text1("x") + `]}`
	wantItems(t, f, answer, want)
	for _, update := range []string{
		`{"sessionUpdate":"session_message","messageId":"m","senderSessionId":null,"recipientSessionId":null}`,
		`{"sessionUpdate":"session_message","messageId":"m"}`,
	} {
		apply(f, update)
		wantItems(t, f, answer, want)
	}
	apply(f, `{"sessionUpdate":"session_message","messageId":"m","_meta":{"a":1}}`)
	if got := f.Items()[1].Message.Meta; string(got) != `{"a":1}` {
		t.Errorf("_meta %s", got)
	}
	apply(f, `{"sessionUpdate":"session_message","messageId":"m","_meta":null,"content":[]}`)
	wantItems(t, f, answer, `{"type":"session_message","messageId":"m","senderSessionId":"parent","recipientSessionId":"child","content":[]}`)
}

func TestP23SessionMessageChangesNoStateAndEndsNoTurn(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[]`))
	turn.Result(json.RawMessage(`{"messageId":"u"}`))
	apply(f, state("running", ""), chunk("session_message_chunk", "m", "done, thank you"))
	if s, _ := f.State(); s.Name != StateRunning {
		t.Errorf("state %q", s.Name)
	}
	if _, done := turn.Done(); done {
		t.Error("the turn ended")
	}
}

func TestTextBreaksBetweenMessagesAsItIsPrinted(t *testing.T) {
	f := NewFold("s1", V1)
	f.Prompt(json.RawMessage(`[` + text1("go") + `]`))
	var live string
	for _, u := range []string{
		chunk("agent_message_chunk", "", "Warning.\n"), chunk("agent_message_chunk", "a", ""), chunk("agent_message_chunk", "a", "I look."),
		chunk("agent_thought_chunk", "a", "hm"), `{"sessionUpdate":"tool_call","toolCallId":"c","title":"look"}`,
		chunk("agent_message_chunk", "b", "Done"), chunk("agent_message_chunk", "b", "."),
	} {
		c := apply(f, u)
		if c.Item.Type != ItemAgentMessage {
			continue
		}
		if c.Break {
			live += "\n"
		}
		live += c.Text
	}
	if want := "Warning.\nI look.\nDone."; live != want || f.Text() != want {
		t.Errorf("live %q, folded %q", live, f.Text())
	}
}

func TestTextIsOfTheLastTurnOnly(t *testing.T) {
	f := folded(V1, chunk("agent_message_chunk", "", "banner"))
	f.Prompt(json.RawMessage(`[` + text1("one") + `]`)).Result(json.RawMessage(`{"stopReason":"end_turn"}`))
	apply(f, chunk("agent_message_chunk", "", "first"))
	f.Prompt(json.RawMessage(`[` + text1("two") + `]`))
	apply(f, chunk("agent_message_chunk", "", "second"))
	if f.Text() != "second" {
		t.Errorf("text %q", f.Text())
	}
	history := folded(V2, whole("user_message", "1", "a"), whole("agent_message", "2", "b"), whole("user_message", "3", "c"), whole("agent_message", "4", "d"))
	if history.Text() != "d" {
		t.Errorf("text of a history %q", history.Text())
	}
}

func TestTheShortWayGivesWhatTheLongWayGives(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		for _, u := range []string{
			chunk("agent_message_chunk", "m", "plain"), chunk("agent_thought_chunk", "m", "tab\t\"quote\" ü 🚀"), chunk("user_message_chunk", "", "x"),
			`{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"text":"\ud83d\ude00\n\/","type":"text"}}`,
			` { "content" : { "type" : "text" , "text" : "" } , "messageId" : "m" , "sessionUpdate" : "agent_message_chunk" } `,
			`{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"a","annotations":null}}`,
			`{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":7}}`,
			`{"sessionUpdate":"agent_message_chunk","messageId":"m","extra":1,"content":` + text1("x") + `}`,
		} {
			short, long := NewFold("s1", v), NewFold("s1", v)
			a := short.Update(json.RawMessage(u))
			b := long.anyUpdate(json.RawMessage(u))
			if diff := cmp.Diff(string(long.AppendJSON(nil)), string(short.AppendJSON(nil))); diff != "" {
				t.Errorf("%s: %s", u, diff)
			}
			if a.Text != b.Text || a.Kind != b.Kind || a.Created != b.Created || a.messageID != b.messageID || len(a.Problems) != len(b.Problems) {
				t.Errorf("%s: %+v, %+v", u, a, b)
			}
		}
	}
}
