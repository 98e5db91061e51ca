package acp

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// peekSlowly is what Peek must find, by encoding/json.
func peekSlowly(line []byte) (Peeked, bool) {
	var top map[string]json.RawMessage
	if json.Unmarshal(line, &top) != nil || top == nil {
		return Peeked{}, false
	}
	text := func(raw json.RawMessage) []byte {
		var s any
		if json.Unmarshal(raw, &s) != nil {
			return nil
		}
		if t, ok := s.(string); ok {
			return []byte(t)
		}
		return nil
	}
	members := func(raw json.RawMessage) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		_ = json.Unmarshal(raw, &m)
		return m
	}
	p := Peeked{ID: top["id"], Method: text(top["method"]), Params: top["params"], Result: top["result"], Error: top["error"]}
	params := members(top["params"])
	p.Session = text(params["sessionId"])
	p.Update = params["update"]
	p.Kind = text(members(params["update"])["sessionUpdate"])
	p.Content, p.Entity = lastOf(params["update"], "content", "data"), lastOf(params["update"], "messageId", "toolCallId", "terminalId", "compactionId")
	if p.Session == nil {
		p.Session = text(members(top["result"])["sessionId"])
	}
	return p, true
}

// lastOf is the value of the last member that has one of these names.
func lastOf(object json.RawMessage, keys ...string) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var found json.RawMessage
	for dec.More() {
		key, err := dec.Token()
		var v json.RawMessage
		if err != nil || dec.Decode(&v) != nil {
			return nil
		}
		if slices.Contains(keys, key.(string)) {
			found = v
		}
	}
	return found
}

func samePeek(t *testing.T, line []byte) {
	t.Helper()
	want, wantOK := peekSlowly(line)
	got, ok := Peek(line)
	if ok != wantOK {
		t.Fatalf("Peek(%s) ok = %v, want %v", line, ok, wantOK)
	}
	for _, m := range []struct {
		name      string
		got, want []byte
	}{
		{"id", got.ID, want.ID}, {"method", got.Method, want.Method}, {"params", got.Params, want.Params},
		{"result", got.Result, want.Result}, {"error", got.Error, want.Error},
		{"content", got.Content, want.Content}, {"entity", got.Entity, want.Entity},
		{"session", got.Session, want.Session}, {"update", got.Update, want.Update}, {"kind", got.Kind, want.Kind},
	} {
		if !bytes.Equal(m.got, m.want) || (m.got == nil) != (m.want == nil) {
			t.Errorf("Peek(%s)\n%s = %q, want %q", line, m.name, m.got, m.want)
		}
	}
}

var peekSeeds = []string{
	`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi \"you\" \\"}}}}`,
	`{"jsonrpc":"2.0","id":12345678901234567890,"method":"session\/prompt","params":{"sessionId":"\u0073\ud83d\ude00\ud83d"}}`,
	`{"id":"a\"b","result":{"sessionId":"late"},"params":{"sessionId":"s"}}`,
	` { "id" : null , "error" : { "code" : -32000 , "message" : "no" } } ` + "\t",
	`{"params":{"update":{"sessionUpdate":"x"}},"params":{"sessionId":7,"sessionId":"b","update":3}}`,
	`{"\u006dethod":"m","params":[1,{"sessionId":"no"}],"result":"r"}`,
	`{}`, `[]`, `null`, `{"a":`, `{"a":1}}`, `{"method":"` + "\xff" + `"}`, `{"id":1.50e3,"result":null}`,
	`{"params":{"update":{}},"result":{}}`,
	`{"params":{"update":{"toolCallId":"t","content":[1],"messageId":null,"data":"x"}}}`,
}

func TestPeekFindsWhatEncodingJSONFinds(t *testing.T) {
	for _, s := range peekSeeds {
		if json.Valid([]byte(s)) {
			samePeek(t, []byte(s))
		}
	}
	if _, ok := Peek([]byte(`[1]`)); ok {
		t.Error("an array is no message")
	}
	if _, ok := Peek([]byte(`{"a":`)); ok {
		t.Error("a cut object is no message")
	}
}

func TestPeekDoesNotAllocate(t *testing.T) {
	line := []byte(peekSeeds[0])
	if n := testing.AllocsPerRun(100, func() { Peek(line) }); n != 0 {
		t.Errorf("%v allocations for one ordinary frame", n)
	}
}

func FuzzPeek(f *testing.F) {
	for _, s := range peekSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if json.Valid(line) {
			samePeek(t, line)
			return
		}
		Peek(line)
	})
}

func BenchmarkPeek(b *testing.B) {
	line := []byte(peekSeeds[0])
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		Peek(line)
	}
}
