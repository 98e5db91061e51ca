package pretty

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

func TestPictureGoldens(t *testing.T) {
	for _, name := range []string{"v1", "v2"} {
		var m, h bytes.Buffer
		mermaid, page := NewMermaid(&m, Selection{}), NewHTML(&h, "A recording", Selection{})
		for _, s := range []Sink{mermaid, page} {
			s.Begin(Connection{Started: time.Date(2026, 11, 30, 4, 5, 6, 0, time.UTC), Agent: []string{"helper", "--acp"}})
			play(t, s, script(t, name+".script"))
		}
		golden(t, name+".mermaid", m.Bytes())
		golden(t, name+".html", h.Bytes())
	}
}

// Whatever an agent says, it stays text.
func TestPicturesHoldNoMarkupOfOthers(t *testing.T) {
	nasty := `</pre><script>alert(1)</script>;#quot;\u202e`
	var m, h bytes.Buffer
	for _, s := range []Sink{NewMermaid(&m, Selection{}), NewHTML(&h, "<b>t</b>", Selection{})} {
		s.Begin(Connection{Agent: []string{"<i>a</i>"}})
		play(t, s, []wire.Entry{
			{Data: []byte(`{"jsonrpc":"2.0","id":"` + nasty + `","method":"` + nasty + `","params":{"sessionId":"` + nasty + `","k":"` + nasty + `"}}`)},
			{Data: []byte("noise " + nasty)},
			{Kind: wire.EntryStderr, Data: []byte(nasty + "\n")},
		})
	}
	for _, bad := range []string{"<script>alert", "</pre><s", "<b>t", "<i>a", "\u202e"} {
		if strings.Contains(h.String(), bad) {
			t.Errorf("%q is in the page", bad)
		}
	}
	for _, line := range strings.Split(m.String(), "\n") {
		if strings.ContainsAny(line, "<>\u202e") && !strings.Contains(line, ">>A: ") || strings.Contains(line, "<") {
			t.Errorf("mermaid: %s", line)
		}
	}
}

// A run of chunks is kept in bounded memory.
func TestPicturesBoundARun(t *testing.T) {
	var h bytes.Buffer
	page := NewHTML(&h, "t", Selection{})
	chunk := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + strings.Repeat("x", 1000) + `"}}}}`)
	for range 3000 {
		page.Observe(wire.Entry{From: wire.Agent, Data: chunk})
	}
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(h.String(), "<details"); n != 4 {
		t.Errorf("%d rows", n)
	}
}
