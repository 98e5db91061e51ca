package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
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

// A text that is no UTF-8 is encoded as encoding/json does, wherever it is cut.
func TestStringInPieces(t *testing.T) {
	for _, unit := range []string{"a", "é", "€", "😀", "\xff", "\x80\x80", "\xf0\x9f", "<\u2028\">\n", "a\xe2\x82"} {
		for _, shift := range []int{0, 1, 2, 3} {
			text := strings.Repeat("x", shift) + strings.Repeat(unit, 2*spillSize/len(unit))
			want, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			var s *spill
			if got := s.appendString(nil, []byte(text)); string(got) != string(want) {
				t.Errorf("%q, %d: differs", unit, shift)
			}
		}
	}
}
