package acp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func options(kinds ...string) []PermissionOption {
	var o []PermissionOption
	for _, k := range kinds {
		o = append(o, PermissionOption{ID: "id-" + k, Name: k, Kind: k})
	}
	return o
}

func TestPermissionPolicies(t *testing.T) {
	all := options(AllowAlways, AllowOnce, RejectAlways, RejectOnce)
	ask := func(id string, err error) Policy {
		return AskWith(func(context.Context, PermissionRequest) (string, error) { return id, err })
	}
	filter := func(v any, err error) Policy {
		return FilterWith(func(json.RawMessage) (any, error) { return v, err })
	}
	bad := errors.New("bad")
	tests := []struct {
		name    string
		policy  Policy
		kind    string
		options []PermissionOption
		want    string
	}{
		{"zero rejects", Policy{}, "read", all, "id-reject_once"},
		{"reject", RejectAll(), "read", all, "id-reject_once"},
		{"reject, always only", RejectAll(), "read", options(AllowOnce, RejectAlways), "id-reject_always"},
		{"reject, no rejecting option", RejectAll(), "read", options(AllowOnce), ""},
		{"reject, no option", RejectAll(), "read", nil, ""},
		{"allow", AllowAll(), "read", all, "id-allow_once"},
		{"allow, always only", AllowAll(), "read", options(RejectOnce, AllowAlways), "id-allow_always"},
		{"allow, none allows", AllowAll(), "read", options(RejectOnce, "allow_forever"), "id-reject_once"},
		{"allow, unknown kinds only", AllowAll(), "read", options("allow_forever", "_allow"), ""},
		{"kinds, hit", AllowKinds("read", "search"), "search", all, "id-allow_once"},
		{"kinds, miss", AllowKinds("read", "search"), "execute", all, "id-reject_once"},
		{"ask", ask("id-allow_always", nil), "read", all, "id-allow_always"},
		{"ask, nothing chosen", ask("", nil), "read", all, ""},
		{"ask, no such option", ask("nope", nil), "read", all, ""},
		{"ask, failed", ask("id-allow_once", bad), "read", all, "id-reject_once"},
		{"jq option id", filter("id-allow_always", nil), "read", all, "id-allow_always"},
		{"jq kind", filter("allow_always", nil), "read", all, "id-allow_always"},
		{"jq kind not offered", filter("allow_once", nil), "read", options(AllowAlways, RejectOnce), "id-reject_once"},
		{"jq unknown kind", filter("allow_forever", nil), "read", options("allow_forever", RejectOnce), "id-reject_once"},
		{"jq id of an unknown kind", filter("id-allow_forever", nil), "read", options("allow_forever", RejectOnce), "id-reject_once"},
		{"jq true", filter(true, nil), "read", all, "id-allow_once"},
		{"jq false", filter(false, nil), "read", all, "id-reject_once"},
		{"jq null", filter(nil, nil), "read", all, "id-reject_once"},
		{"jq number", filter(1, nil), "read", all, "id-reject_once"},
		{"jq error", filter(true, bad), "read", all, "id-reject_once"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.policy.Decide(context.Background(), PermissionRequest{ToolKind: tt.kind, Options: tt.options})
			if got.OptionID != tt.want {
				t.Errorf("got %q, want %q", got.OptionID, tt.want)
			}
		})
	}
}

func TestParsePolicy(t *testing.T) {
	ask := func(context.Context, PermissionRequest) (string, error) { return "asked", nil }
	compile := func(s string) (FilterFunc, error) {
		if s == "bad" {
			return nil, usagef("bad filter")
		}
		return func(json.RawMessage) (any, error) { return s == "yes", nil }, nil
	}
	r := PermissionRequest{ToolKind: "read", Options: append(options(AllowOnce, RejectOnce), PermissionOption{ID: "asked", Kind: AllowOnce})}
	for s, want := range map[string]string{
		"": "id-reject_once", "reject": "id-reject_once", "allow": "id-allow_once", "allow:read, search": "id-allow_once",
		"allow:edit": "id-reject_once", "ask": "asked", "jq:yes": "id-allow_once", "jq:no": "id-reject_once",
	} {
		p, err := ParsePolicy(s, ask, compile)
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		if got := p.Decide(context.Background(), r).OptionID; got != want {
			t.Errorf("%q: got %q", s, got)
		}
	}
	for _, s := range []string{"yolo", "allow:", "allow:read,", "reject:read", "ask:me", "jq", "jq:bad"} {
		var u *UsageError
		if _, err := ParsePolicy(s, ask, compile); !errors.As(err, &u) {
			t.Errorf("%q: got %v", s, err)
		}
	}
	for s, kind := range map[string]string{"allow:reed": "reed", "allow:read,Edit": "Edit"} {
		var k *ToolKindError
		if _, err := ParsePolicy(s, ask, compile); !errors.As(err, &k) || k.Kind != kind {
			t.Errorf("%q: got %v", s, err)
		}
	}
	if _, err := ParsePolicy("allow:_own,"+strings.Join(ToolKinds(), ","), ask, compile); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"ask", "jq:."} {
		var u *UsageError
		if _, err := ParsePolicy(s, nil, nil); !errors.As(err, &u) {
			t.Errorf("%q with nobody to ask: got %v", s, err)
		}
	}
}

func TestOutcomeOnTheWire(t *testing.T) {
	for want, o := range map[string]Outcome{
		`{"outcome":{"outcome":"selected","optionId":"a-b"}}`: {"a-b"},
		`{"outcome":{"outcome":"cancelled"}}`:                 {},
	} {
		got, err := encode(o)
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestDecodePermission(t *testing.T) {
	known := func(id string) string { return map[string]string{"c1": "edit"}[id] }
	tests := []struct {
		name, params              string
		title, call, kind, option string
	}{
		{"v1", `{"sessionId":"s","toolCall":{"toolCallId":"c","title":"T","kind":"read"},"options":[{"optionId":"o","name":"n","kind":"allow_once"}]}`, "T", "c", "read", "o"},
		{"v1, kind told before", `{"sessionId":"s","toolCall":{"toolCallId":"c1","kind":null},"options":[]}`, "", "c1", "edit", ""},
		{"v1, kind never told", `{"sessionId":"s","toolCall":{"toolCallId":"c2"}}`, "", "c2", "other", ""},
		{"v2 tool call", `{"sessionId":"s","title":"Run?","subject":{"type":"tool_call","toolCall":{"toolCallId":"c1","title":"T"}},"options":[]}`, "Run?", "c1", "edit", ""},
		{"v2 command", `{"sessionId":"s","title":"Run?","subject":{"type":"command","command":"rm x","cwd":"/","toolCallId":"c1"},"options":[]}`, "Run?", "c1", "execute", ""},
		{"v2 other subject", `{"sessionId":"s","title":"Eh?","subject":{"type":"_x"},"options":[]}`, "Eh?", "", "other", ""},
		{"v2 no subject", `{"sessionId":"s","title":"Eh?","subject":null,"description":null,"options":[]}`, "Eh?", "", "other", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := DecodePermission(json.RawMessage(tt.params), known)
			if err != nil {
				t.Fatal(err)
			}
			option := ""
			if len(r.Options) > 0 {
				option = r.Options[0].ID
			}
			if r.SessionID != "s" || r.Title != tt.title || r.ToolCallID != tt.call || r.ToolKind != tt.kind || option != tt.option || string(r.Raw) != tt.params {
				t.Errorf("got %+v", r)
			}
		})
	}
	for bad, want := range map[string]string{
		``: "unexpected end of JSON input", `[]`: "/ must not be of type array", `{"sessionId":7}`: "/sessionId must not be of type number",
		`{"options":{}}`: "/options must not be of type object", `{"options":[{"optionId":7}]}`: "/options/optionId must not be of type number",
	} {
		_, err := DecodePermission(json.RawMessage(bad), nil)
		if err == nil || err.Error() != "session/request_permission: "+want {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func FuzzDecodePermission(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"read"},"options":[{"optionId":"o","kind":"allow_once"}]}`))
	f.Add([]byte(`{"sessionId":"s","title":"t","subject":{"type":"command","command":"x"},"options":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodePermission(data, nil)
		if err == nil && r.ToolKind == "" {
			t.Fatal("no kind")
		}
		for _, p := range []Policy{RejectAll(), AllowAll()} {
			if o, err := json.Marshal(p.Decide(context.Background(), r)); err != nil || !json.Valid(o) {
				t.Fatalf("%s, %v", o, err)
			}
		}
	})
}
