package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/google/go-cmp/cmp"
)

// conversation feeds a follower with lines: "> …" from the client, "< …" from
// the agent. "< chunk S text" and the like are short for updates.
func conversation(t *testing.T, f *follower, version int, lines string) {
	t.Helper()
	feed := func(from wire.Party, text string) {
		f.Observe(wire.Entry{From: from, Kind: wire.EntryLine, Data: []byte(text), EOL: "\n"})
	}
	feed(wire.Client, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2}}`)
	feed(wire.Agent, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":%d,"capabilities":{"session":{}},"info":{"name":"a","version":"1"}}}`, version))
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		text := strings.TrimSpace(line[1:])
		if word, rest, _ := strings.Cut(text, " "); word == "update" {
			session, update, _ := strings.Cut(rest, " ")
			text = fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":%s}}`, session, update)
		}
		from := wire.Client
		if line[0] == '<' {
			from = wire.Agent
		}
		feed(from, text)
	}
}

const (
	v1Chunk = `{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%q}}`
	v2Chunk = `{"sessionUpdate":"agent_message_chunk","messageId":%q,"content":{"type":"text","text":%q}}`
)

func TestP11EachUpdateHasItsPlace(t *testing.T) {
	var got []string
	f := newFollower(nil)
	f.show = func(s seen) { got = append(got, fmt.Sprint(s.Session, " ", s.When)) }
	chunk := fmt.Sprintf(v1Chunk, "x")
	conversation(t, f, 1, `
		< update S `+chunk+`
		> {"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
		< update S `+chunk+`
		< {"jsonrpc":"2.0","id":1,"result":{"sessionId":"S"}}
		< update S `+chunk+`
		> {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[{"type":"text","text":"hi"}]}}
		< update S `+chunk+`
		< {"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}
		< update S `+chunk+`
		> {"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"R","cwd":"/","mcpServers":[]}}
		< update R `+chunk+`
		< update S `+chunk+`
		< {"jsonrpc":"2.0","id":3,"result":{}}
		< update R `+chunk+`
	`)
	want := []string{
		fmt.Sprint("S ", acp.Between), fmt.Sprint("S ", acp.Early), fmt.Sprint("S ", acp.Between), fmt.Sprint("S ", acp.InTurn),
		fmt.Sprint("S ", acp.Late), fmt.Sprint("R ", acp.History), fmt.Sprint("S ", acp.Late), fmt.Sprint("R ", acp.Between),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// shownText is what a view prints of a conversation.
func shownText(t *testing.T, version int, updates bool, lines string) (string, *turnView) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	e := newEnv(Streams{Out: out}, func(string) string { return "" })
	e.say.w = &strings.Builder{}
	v := newTurnView(e, &printer{e: e, Screen: pretty.Screen{}}, updates, func(error) {})
	v.begin("S")
	f := newFollower(v.show)
	conversation(t, f, version, `
		> {"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
		< {"jsonrpc":"2.0","id":1,"result":{"sessionId":"S"}}
		> {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[{"type":"text","text":"hi"}]}}
	`+lines)
	b, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b), v
}

func TestTextAsItComes(t *testing.T) {
	chunk := func(id, text string) string { return "< update S " + fmt.Sprintf(v2Chunk, id, text) + "\n" }
	whole := func(id, content string) string {
		return "< update S " + fmt.Sprintf(`{"sessionUpdate":"agent_message","messageId":%q,"content":%s}`, id, content) + "\n"
	}
	for name, tt := range map[string]struct{ lines, want string }{
		"chunks":                        {chunk("a", "one ") + chunk("a", "two"), "one two"},
		"a second message":              {chunk("a", "one") + chunk("b", "two"), "one\ntwo"},
		"a second after a newline":      {chunk("a", "one\n") + chunk("b", "two"), "one\ntwo"},
		"whole":                         {whole("a", `[{"type":"text","text":"all"}]`), "all"},
		"chunks, then the same whole":   {chunk("a", "one ") + chunk("a", "two") + whole("a", `[{"type":"text","text":"one two"}]`), "one two"},
		"chunks, then more of the same": {chunk("a", "one") + whole("a", `[{"type":"text","text":"one two"}]`), "one two"},
		"chunks, then another text":     {chunk("a", "one") + whole("a", `[{"type":"text","text":"two"}]`), "one\ntwo"},
		"only metadata":                 {chunk("a", "one") + "< update S {\"sessionUpdate\":\"agent_message\",\"messageId\":\"a\",\"_meta\":{}}\n", "one"},
		"an image": {chunk("a", "see") + `< update S {"sessionUpdate":"agent_message_chunk","messageId":"a","content":{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("QUJD", 1000) + `"}}` + "\n" + chunk("a", "there"),
			"see\n[image image/png 2.9 kB]\nthere"},
		"another session":            {`< update T ` + fmt.Sprintf(v2Chunk, "a", "no") + "\n" + chunk("a", "yes"), "yes"},
		"thoughts and user messages": {`< update S {"sessionUpdate":"agent_thought_chunk","messageId":"a","content":{"type":"text","text":"hm"}}` + "\n" + `< update S {"sessionUpdate":"user_message_chunk","messageId":"u","content":{"type":"text","text":"hi"}}` + "\n" + chunk("a", "yes"), "yes"},
		"escapes pass in a pipe":     {strings.ReplaceAll(chunk("a", "ESC[1mbold"), "ESC", `\u001b`), "\x1b[1mbold"},
		"session message":            {`< update S {"sessionUpdate":"session_message","messageId":"m","content":[{"type":"text","text":"psst"}]}` + "\n" + chunk("a", "yes"), "yes"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := shownText(t, 2, false, tt.lines); got != tt.want {
				t.Errorf("printed %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUpdatesAreLinesByteForByte(t *testing.T) {
	odd := `{"sessionUpdate":"_x",  "n":1.50, "n":12345678901234567890, "s":"\u00e9\/"}`
	got, _ := shownText(t, 1, true, `
		< update S `+odd+`
		< update T {"sessionUpdate":"_x"}
		< {"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}
		< update S {}
		< update S {"a":1}
	`)
	want := odd + "\n" +
		`{"_acptool":{"sessionId":"T"},"sessionUpdate":"_x"}` + "\n" +
		`{"_acptool":{"when":"late"}}` + "\n" +
		`{"_acptool":{"when":"late"},"a":1}` + "\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLateTextIsPrintedAndMarked(t *testing.T) {
	got, v := shownText(t, 1, false, `
		< update S `+fmt.Sprintf(v1Chunk, "HEAD-")+`
		< {"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}
		< update S `+fmt.Sprintf(v1Chunk, "TAIL")+`
	`)
	if got != "HEAD-TAIL" && got != "HEAD-\nTAIL" {
		t.Errorf("printed %q", got)
	}
	if told := v.e.say.w.(*strings.Builder).String(); !strings.Contains(told, "after the end of the turn") {
		t.Errorf("told %q", told)
	}
}
