package record

import (
	"bytes"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
)

// kept records frames of the agent as a tap does, with redaction, and gives
// them back as they stood on the wire.
func kept(t *testing.T, from wire.Party, frames ...string) string {
	t.Helper()
	var file, out bytes.Buffer
	w := NewWriter(&file, Header{}, WriterOptions{Redact: newTestRedactor(t, RedactOptions{})})
	for _, f := range frames {
		w.Observe(line(from, f, "\n"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := WriteRaw(&out, NewReader(&file), from); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Unknown values, members and variants stand in a recording as they came:
// status values of the future (S11), members beside the two of auth/status
// (A15), any _meta (A19), and update kinds nobody knows (P07).
func TestS11A15A19P07RecordingKeepsWhatItDoesNotKnow(t *testing.T) {
	for _, frame := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"status":"dreaming","since":1.50,"extra":{"b":1,"a":2}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"authenticated":true,"message":"ok","expiry":"soon","scopes":[ "a" ]}}`,
		`{"jsonrpc":"2.0","id":3,"result":{"authenticated":false,"_meta":null}}`,
		`{"jsonrpc":"2.0","id":4,"result":{"authenticated":false,"_meta":{"x/y":{"z":[1e400,-0.0,12345678901234567890]}}}}`,
		"{\"method\" : \"session/update\",\t\"jsonrpc\":\"2.0\",\"params\":{\"update\":{\"sessionUpdate\":\"_x\\u002fy\",\"k\":1,\"k\":2}}}",
	} {
		if got := kept(t, wire.Agent, frame); got != frame+"\n" {
			t.Errorf("got  %swant %s", got, frame)
		}
	}
}

// Updates stand in the order in which they were received, and two equal notices
// are two.
func TestU19P54RecordingKeepsOrderAndRepeats(t *testing.T) {
	notice := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"notice","message":"slow"}}}`
	chunk := strings.Replace(notice, "notice", "agent_message_chunk", 1)
	frames := []string{chunk, notice, notice, chunk, notice}
	if got, want := kept(t, wire.Agent, frames...), strings.Join(frames, "\n")+"\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The values of MCP headers are taken out of recordings; their names and the
// rest stay.
func TestU45HeaderValuesAreRedactedInRecordings(t *testing.T) {
	frame := `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"type":"http","name":"m","url":"https://h/","headers":[{"name":"X-Team","value":"blue"}]}]}}`
	want := strings.Replace(frame, "blue", Redacted, 1) + "\n"
	if got := kept(t, wire.Client, frame); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}
