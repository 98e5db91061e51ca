package pretty

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

func TestTranscriptGoldens(t *testing.T) {
	for _, c := range []struct {
		name, script string
		o            FoldingOptions
	}{
		{"transcript-v1.pipe", "v1.script", FoldingOptions{}},
		{"transcript-v2.pipe", "v2.script", FoldingOptions{}},
		{"transcript-v1.colour", "v1.script", FoldingOptions{Screen: Screen{Terminal: true, Colour: true}}},
		{"transcript-v1.md", "v1.script", FoldingOptions{Form: FoldMarkdown}},
		{"transcript-v2.md", "v2.script", FoldingOptions{Form: FoldMarkdown}},
		{"transcript-v2.json", "v2.script", FoldingOptions{Form: FoldJSON, Session: "s-child"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			play(t, NewFolding(&b, c.o), script(t, c.script))
			golden(t, c.name, b.Bytes())
		})
	}
}

func transcriptOf(t *testing.T, s Screen, session string, updates ...string) string {
	t.Helper()
	f := acp.NewFold(session, acp.V2)
	for _, u := range updates {
		f.Update([]byte(u))
	}
	var b bytes.Buffer
	if err := WriteTranscript(&b, s, f); err != nil {
		t.Fatal(err)
	}
	var md bytes.Buffer
	if err := WriteMarkdown(&md, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestP21SessionMessageNamesTheOtherSide(t *testing.T) {
	for _, c := range []struct{ ids, want string }{
		{`"senderSessionId":"me","recipientSessionId":"you"`, "To you\n"},
		{`"senderSessionId":"you","recipientSessionId":"me"`, "From you\n"},
		{`"recipientSessionId":"you"`, "To you\n"},
		{`"senderSessionId":"you"`, "From you\n"},
		{`"senderSessionId":null`, "Message between sessions\n"},
		{`"senderSessionId":"me"`, "Message between sessions\n"},
		{`"senderSessionId":"a","recipientSessionId":"b"`, "Message between sessions\n"},
	} {
		got := transcriptOf(t, Screen{}, "me", `{"sessionUpdate":"session_message","messageId":"m",`+c.ids+`,"content":[{"type":"text","text":"x"}]}`)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.ids, got)
		}
	}
	late := transcriptOf(t, Screen{}, "me",
		`{"sessionUpdate":"session_message_chunk","messageId":"m","content":{"type":"text","text":"x"}}`,
		`{"sessionUpdate":"session_message","messageId":"m","senderSessionId":"you","recipientSessionId":"me"}`)
	if !strings.Contains(late, "From you\n") {
		t.Errorf("completed later: %s", late)
	}
}

func TestP82TerminalBytesSplitInsideACharacterAreWholeText(t *testing.T) {
	// "é" is c3 a9; w6k= would be both at once.
	got := transcriptOf(t, Screen{}, "s",
		`{"sessionUpdate":"terminal_update","terminalId":"t","command":"echo"}`,
		`{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"Y2Fmww=="}`,
		`{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"qQo="}`)
	if !strings.Contains(got, "  café\n") {
		t.Error(got)
	}
}

func TestTranscriptCannotSteerATerminal(t *testing.T) {
	nasty := `\u001b]0;x\u0007\u009b2J\u202e`
	got := transcriptOf(t, Screen{Terminal: true, Colour: true}, "s\x1b[1m",
		`{"sessionUpdate":"agent_message","messageId":"m","content":[{"type":"text","text":"`+nasty+`"},{"type":"`+nasty+`"},{"type":"resource_link","name":"`+nasty+`","uri":"`+nasty+`"}]}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"`+nasty+`","kind":"`+nasty+`","status":"`+nasty+`","locations":[{"path":"`+nasty+`"}],"content":[{"type":"content","content":{"type":"text","text":"`+nasty+`"}},{"type":"diff","changes":[{"operation":"`+nasty+`","path":"`+nasty+`"}],"patch":{"format":"git_patch","text":"+`+nasty+`"}}]}`,
		`{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p","entries":[{"content":"`+nasty+`","priority":"high","status":"pending"}]}}`,
		`{"sessionUpdate":"terminal_update","terminalId":"t","command":"`+nasty+`","output":{"data":"G10wO3gHwptyCg=="}}`,
		`{"sessionUpdate":"`+nasty+`"}`, `{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1,"currency":"`+nasty+`"}}`,
		`{"sessionUpdate":"session_info_update","title":"`+nasty+`"}`, `{"sessionUpdate":"state_update","state":"idle","stopReason":"`+nasty+`"}`)
	for _, bad := range []string{"\x1b]", "\u009b", "\u202e", "\x07", "\x1b[1mx"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q reached the terminal: %q", bad, got)
		}
	}
}

func TestTerminalTextIsPlain(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a\x1b[31mb\x1b[0mc\n", "abc\n"}, {"10%\r50%\r100%\n", "100%\n"}, {"x\r\ny\r\n", "x\ny\n"},
		{"\x1b]0;title\x07t", "t"}, {"\x1b]8;;u\x1b\\link", "link"}, {"ab\b\bX", "Xb"}, {"a\x1b", "a"}, {"\xc3", "\ufffd"}, {"a\tb", "a\tb"}, {"", ""},
	} {
		if got := terminalText([]byte(c.in)); got != c.want {
			t.Errorf("%q gives %q, want %q", c.in, got, c.want)
		}
	}
}

func TestUnifiedDiff(t *testing.T) {
	lines := func(s string) string { return strings.Join(strings.Fields(s), "\n") + "\n" }
	for _, c := range []struct{ name, before, after, want string }{
		{"same", "a\n", "a\n", ""},
		{"new", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b"},
		{"gone", "a\n", "", "@@ -1 +0,0 @@\n-a"},
		{"middle", lines("1 2 3 4 5 6 7 8 9"), lines("1 2 3 4 X 6 7 8 9"), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8"},
		{"two hunks", lines("a 1 2 3 4 5 6 7 8 b"), lines("A 1 2 3 4 5 6 7 8 B"), "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-b\n+B"},
		{"near hunks are one", lines("a 1 2 3 4 b"), lines("A 1 2 3 4 B"), "@@ -1,6 +1,6 @@\n-a\n+A\n 1\n 2\n 3\n 4\n-b\n+B"},
		{"end", "a\nb", "a\nb\nc", "@@ -1,2 +1,3 @@\n a\n b\n+c"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(unified(c.before, c.after), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestMarkdownFencesHoldWhatIsInThem(t *testing.T) {
	var b bytes.Buffer
	f := acp.NewFold("s", acp.V2)
	f.Update([]byte(`{"sessionUpdate":"tool_call_update","toolCallId":"t","title":"a *b* ` + "`c`" + `","content":[{"type":"content","content":{"type":"text","text":"` + "````\\ninside" + `"}}]}`))
	if err := WriteMarkdown(&b, f); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "`````\n````\ninside\n`````\n") || !strings.Contains(b.String(), "a \\*b\\* \\`c\\`") {
		t.Error(b.String())
	}
}

// The two interleaved sessions of one connection are told apart.
func TestU01SessionsHaveTheirOwnTranscripts(t *testing.T) {
	update := func(session, text string) wire.Entry {
		return wire.Entry{From: wire.Agent, Data: []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"` + session + `","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"` + text + `"}}}}`)}
	}
	var b bytes.Buffer
	play(t, NewFolding(&b, FoldingOptions{}), []wire.Entry{update("one", "a"), update("two", "x"), update("one", "b"), update("two", "y")})
	if want := "session one\n\nAgent\nab\n\nsession two\n\nAgent\nxy\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
