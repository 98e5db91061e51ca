package acp

import (
	"encoding/json"
	"errors"
	"testing"
)

func decodeStatus(t *testing.T, v Version, result string) SessionStatus {
	t.Helper()
	s, err := DecodeSessionStatus(v, json.RawMessage(result))
	if err != nil {
		t.Fatalf("%s: %v", result, err)
	}
	return s
}

func TestS03S07BothSpellings(t *testing.T) {
	for raw, want := range map[string]string{"active": SessionActive, "open": SessionActive, "inactive": SessionInactive, "saved": SessionInactive} {
		for _, v := range []Version{V1, V2} {
			s := decodeStatus(t, v, `{"status":"`+raw+`"}`)
			if s.Status != want || s.Raw != raw || !s.Recognised() {
				t.Errorf("version %d, %s: got %+v", v, raw, s)
			}
		}
	}
}

func TestS09UnrecognisedStatusIsInactive(t *testing.T) {
	for _, raw := range []string{"warming_up", "_x", "", "ACTIVE", "running"} {
		s := decodeStatus(t, V2, `{"status":"`+raw+`"}`)
		if s.Status != SessionInactive || s.Raw != raw || s.Recognised() {
			t.Errorf("%q: got %+v", raw, s)
		}
	}
}

func TestS11OpenToFutureMembers(t *testing.T) {
	const result = `{"status":"_later","position":{"x":[1]},"_meta":{"a":1}}`
	s := decodeStatus(t, V2, result)
	if s.Status != SessionInactive || string(s.Result) != result {
		t.Errorf("got %+v", s)
	}
}

func TestS17S34StateIsNested(t *testing.T) {
	for _, name := range []string{"running", "idle", "requires_action", "unknown", "_later"} {
		s := decodeStatus(t, V2, `{"status":"active","state":{"state":"`+name+`"}}`)
		if s.Status != SessionActive || s.State == nil || s.State.Name != name || string(s.RawState) != `{"state":"`+name+`"}` {
			t.Errorf("%s: got %+v", name, s)
		}
	}
}

func TestS16S18S19StateNotReported(t *testing.T) {
	for _, state := range []string{`null`, `"idle"`, `[]`, `{}`, `{"state":7}`, `{"state":null}`, `7`, `{"stopReason":"end_turn"}`} {
		s := decodeStatus(t, V2, `{"status":"active","state":`+state+`}`)
		if s.Status != SessionActive || s.State != nil || s.RawState != nil {
			t.Errorf("%s: got %+v", state, s)
		}
	}
	if s := decodeStatus(t, V2, `{"status":"active"}`); s.State != nil {
		t.Errorf("absent: got %+v", s.State)
	}
}

func TestS21ReasonIsContext(t *testing.T) {
	s := decodeStatus(t, V2, `{"status":"active","state":{"state":"idle","stopReason":"cancelled"}}`)
	if s.State == nil || s.State.Name != StateIdle || s.State.StopReason != StopCancelled {
		t.Errorf("got %+v", s.State)
	}
}

func TestS23NoStateInVersion1(t *testing.T) {
	if s := decodeStatus(t, V1, `{"status":"active","state":{"state":"running"}}`); s.State != nil || s.RawState != nil {
		t.Errorf("got %+v", s)
	}
}

func TestS40StatusIsRequired(t *testing.T) {
	for _, result := range []string{`{}`, `{"status":null}`, `{"status":7}`, `{"state":{"state":"idle"}}`, `null`, `"active"`, `[]`, ``} {
		for _, v := range []Version{V1, V2} {
			var p *ProtocolError
			if _, err := DecodeSessionStatus(v, json.RawMessage(result)); !errors.As(err, &p) {
				t.Errorf("%s: got %v", result, err)
			}
		}
	}
}

func FuzzDecodeSessionStatus(f *testing.F) {
	f.Add([]byte(`{"status":"active","state":{"state":"idle"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := DecodeSessionStatus(V2, data)
		if (err == nil) != (s.Status == SessionActive || s.Status == SessionInactive) {
			t.Fatalf("%+v, %v", s, err)
		}
	})
}
