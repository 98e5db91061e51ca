package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A session for measuring, always the same: mostly chunks of text as real
// agents send them, some thought, tool calls with diffs, a few large frames.

// update is the n-th update of the session.
func update(n int) string {
	switch {
	case n%1000 == 999:
		return `{"sessionUpdate":"tool_call_update","toolCallId":"call_` + fmt.Sprint(n/50) + `","status":"completed","content":[{"type":"content","content":{"type":"text","text":"` +
			strings.Repeat("package main // a file that was read\\n", 1500) + `"}}]}`
	case n%50 == 0:
		return fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"call_%d","title":"Edit main.go","kind":"edit","status":"in_progress","locations":[{"path":"/src/main.go","line":%d}]}`, n/50, n%400)
	case n%50 == 1:
		return fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"call_%d","status":"completed","content":[{"type":"diff","path":"/src/main.go","oldText":"for i := 0; i < n; i++ {\n\tcheck(i)\n}\n","newText":"for i := range n {\n\tcheck(i)\n}\n"}]}`, n/50)
	case n%50 < 8:
		return `{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":" so the caller has to look again,"}}`
	}
	return fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":" word %d of \"it\""}}`, n)
}

func notification(n int) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a","update":` + update(n) + `}}`
}

// chunk is an update that is nothing but text.
func chunk(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":" word %d"}}}}`, n)
}

// writeRecording makes a recording: until it has about size bytes, or with
// count updates.
func (b *bench) writeRecording(name string, size, count int, say func(int) string) (string, error) {
	path := filepath.Join(b.dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	written := 0
	line := func(n int, from, msg string) {
		k, _ := fmt.Fprintf(w, `{"t":%d.%06d,"from":"%s","msg":%s}`+"\n", n/1000, n%1000*1000, from, msg) // Flush tells of errors
		written += k
	}
	io.WriteString(w, `{"format":"acptool","version":1,"started":"2026-11-30T04:00:00Z","tool":"acptool bench","agent":["bench"]}`+"\n")
	line(0, "client", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`)
	line(1, "agent", `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}`)
	line(2, "client", `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/src","mcpServers":[]}}`)
	line(3, "agent", `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"sess_7f3a"}}`)
	line(4, "client", `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"sess_7f3a","prompt":[{"type":"text","text":"go on"}]}}`)
	n := 0
	for ; n < count || count == 0 && written < size; n++ {
		line(5+n, "agent", say(n))
	}
	line(5+n, "agent", `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`)
	if err := w.Flush(); err != nil {
		return "", err
	}
	return path, f.Close()
}
