package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// pieces keeps the largest piece that was written.
type pieces struct {
	bytes.Buffer
	largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	return p.Buffer.Write(b)
}

// What is written piece by piece is what AppendJSON appends.
func TestWriteJSONIsAppendJSON(t *testing.T) {
	f := NewFold("s", V1)
	say := func(kind, text string) {
		u, err := json.Marshal(map[string]any{"sessionUpdate": kind, "content": map[string]any{"type": "text", "text": text}})
		if err != nil {
			t.Fatal(err)
		}
		f.Update(u)
	}
	say("user_message_chunk", "go on")
	for i := range 20_000 {
		say("agent_message_chunk", fmt.Sprintf(" wörd <%d>\n", i))
		if i%1000 == 0 {
			say("agent_thought_chunk", strings.Repeat("€ & \u2028", 1000))
			f.Update(json.RawMessage(fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"x","rawInput":[ "%s" ]}`, i, strings.Repeat("y", i*10))))
		}
	}
	var p pieces
	if err := f.WriteJSON(&p); err != nil {
		t.Fatal(err)
	}
	want := f.AppendJSON(nil)
	if !bytes.Equal(p.Bytes(), want) {
		t.Fatal("the pieces are something else")
	}
	text, err := json.Marshal(f.Text())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(want, append([]byte(`"text":`), text...)) {
		t.Error("the text is not as encoding/json has it")
	}
	if p.largest > 250_000 {
		t.Errorf("a piece of %d bytes", p.largest)
	}
}

// Every character is written as encoding/json writes it.
func TestCharactersAsEncodingJSONHasThem(t *testing.T) {
	var s *spill
	for r := rune(0); r <= 0x1ffff; r++ {
		if !utf8.ValidRune(r) || r > 0x3000 && r%0x100 > 0xb0 {
			continue
		}
		text := "a" + string(r) + string(r) + "b"
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.appendInside(nil, []byte(text)); string(got) != string(want[1:len(want)-1]) {
			t.Fatalf("%q: %s, want %s", text, got, want)
		}
	}
}
