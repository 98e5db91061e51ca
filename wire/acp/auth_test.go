package acp

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestA13A15A17A19DecodeAuthStatus(t *testing.T) {
	tests := []struct {
		result                   string
		state, rawState, message string
		accounts                 string
	}{
		{`{"authenticated":true}`, Authenticated, "", "", ""},
		{`{"authenticated":true,"message":"Credentials are there"}`, Authenticated, "", "Credentials are there", ""},
		{`{"authenticated":false,"message":null}`, Unauthenticated, "", "", ""},
		{`{"authenticated":false,"_meta":{"a":[1]},"more":7}`, Unauthenticated, "", "", ""},
		{`{"authenticated":true,"_meta":null}`, Authenticated, "", "", ""},
		{`{"state":"authenticated","accounts":[{"label":"a"}]}`, Authenticated, "", "", `[{"label":"a"}]`},
		{`{"state":"unauthenticated"}`, Unauthenticated, "", "", ""},
		{`{"state":"not_required"}`, AuthNotRequired, "", "", ""},
		{`{"state":"unknown"}`, AuthUnknown, "", "", ""},
		{`{"state":"expired"}`, AuthUnknown, "expired", "", ""},
		{`{"authenticated":false,"state":"authenticated"}`, Unauthenticated, "", "", ""},
		{`{"authenticated":"yes","state":"authenticated"}`, Authenticated, "", "", ""},
	}
	for _, tt := range tests {
		got, err := DecodeAuthStatus(json.RawMessage(tt.result))
		if err != nil {
			t.Errorf("%s: %v", tt.result, err)
			continue
		}
		if got.State != tt.state || got.RawState != tt.rawState || got.Message != tt.message || string(got.Accounts) != tt.accounts || string(got.Result) != tt.result {
			t.Errorf("%s: got %+v", tt.result, got)
		}
	}
}

func TestA16NeitherShapeIsABreach(t *testing.T) {
	for _, result := range []string{
		`{}`, `null`, ``, `[]`, `"authenticated"`, `{"authenticated":null}`, `{"authenticated":"yes"}`, `{"authenticated":1}`,
		`{"state":null}`, `{"state":7}`, `{"message":"hello"}`,
	} {
		got, err := DecodeAuthStatus(json.RawMessage(result))
		var p *ProtocolError
		if !errors.As(err, &p) || got.State != "" {
			t.Errorf("%s: got %q, %v", result, got.State, err)
		}
	}
}

func TestDecodeAuthMethods(t *testing.T) {
	one := decodeAuthMethods(V1, json.RawMessage(`[{"id":"key","name":"API key","description":null},
		{"id":"term","name":"T","type":"terminal","args":["--login"],"env":{"A":"1"}},{"methodId":"two"},7]`))
	if len(one) != 2 || one[0].ID != "key" || one[0].Type != "agent" || one[0].Terminal() || !one[1].Terminal() || one[1].Args[0] != "--login" || one[1].Env["A"] != "1" {
		t.Errorf("version 1: got %+v", one)
	}
	two := decodeAuthMethods(V2, json.RawMessage(`[{"type":"agent","methodId":"key","name":"API key"},
		{"type":"terminal","methodId":"term","env":[{"name":"A","value":"1"}]},{"id":"one"}]`))
	if len(two) != 2 || two[0].ID != "key" || !two[1].Terminal() || two[1].Env["A"] != "1" {
		t.Errorf("version 2: got %+v", two)
	}
	if got, _ := json.Marshal(one[0]); string(got) != `{"id":"key","name":"API key","description":null}` {
		t.Errorf("marshalled: %s", got)
	}
	for _, none := range []string{``, `null`, `{}`, `"x"`} {
		if m := decodeAuthMethods(V1, json.RawMessage(none)); m != nil {
			t.Errorf("%q: got %v", none, m)
		}
	}
}

func FuzzDecodeAuthStatus(f *testing.F) {
	f.Add([]byte(`{"authenticated":true,"message":"x"}`))
	f.Add([]byte(`{"state":"x","accounts":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := DecodeAuthStatus(data)
		if (err == nil) != (got.State != "") {
			t.Fatalf("state %q, %v", got.State, err)
		}
	})
}
