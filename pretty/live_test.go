package pretty

import (
	"bytes"
	"testing"
	"time"

	"github.com/acptool/acptool/wire/acp"
)

func TestLiveLine(t *testing.T) {
	var b bytes.Buffer
	clock := time.Unix(0, 0)
	l := NewLive(&b, Screen{Terminal: true, Width: 60}, func() time.Time { return clock })
	f := acp.NewFold("s", acp.V2)
	update := func(u string) { l.Update(f, f.Update([]byte(u))) }
	shows := func(want string) {
		t.Helper()
		b.Reset()
		if err := l.Draw(); err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = "\r" + want + "\x1b[K"
		}
		if b.String() != want {
			t.Errorf("draws %q, want %q", b.String(), want)
		}
	}
	shows("") // no turn yet
	l.Begin()
	shows("0 s waiting for the agent")
	shows("") // nothing new
	clock = clock.Add(2500 * time.Millisecond)
	update(`{"sessionUpdate":"agent_thought_chunk","messageId":"m","content":{"type":"text","text":"x"}}`)
	shows("2 s thinking")
	update(`{"sessionUpdate":"tool_call_update","toolCallId":"a","title":"make \u001b[1m test","status":"in_progress"}`)
	update(`{"sessionUpdate":"usage_update","used":53000,"size":200000}`)
	shows(`2 s make \e[1m test · 53000 of 200000 tokens`)
	update(`{"sessionUpdate":"tool_call_update","toolCallId":"b","title":"lint"}`)
	shows(`2 s lint and 1 more · 53000 of 200000 tokens`)
	l.Waiting("Run make?")
	shows(`2 s waiting for you: Run make? · 53000 of 200000 tokens`)
	l.Waiting("")
	update(`{"sessionUpdate":"tool_call_update","toolCallId":"b","status":"completed"}`)
	update(`{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"failed"}`)
	shows(`2 s thinking · 53000 of 200000 tokens`)
	b.Reset()
	l.Clear()
	if b.String() != "\r\x1b[K" {
		t.Errorf("clears by %q", b.String())
	}
	l.Pause(true)
	shows("")
	l.Pause(false)
	l.Wrote(false)
	shows("") // behind text
	l.Wrote(true)
	shows(`2 s thinking · 53000 of 200000 tokens`)
	b.Reset()
	l.End()
	l.Clear()
	if b.String() != "\r\x1b[K" {
		t.Errorf("ends by %q", b.String())
	}
	shows("")
}

func TestLiveIsSilentWithoutATerminal(t *testing.T) {
	var b bytes.Buffer
	l := NewLive(&b, Screen{}, time.Now)
	l.Begin()
	l.Draw()
	l.End()
	if b.Len() > 0 {
		t.Errorf("%q", b.String())
	}
}
