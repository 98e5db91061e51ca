package acp

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

var us = Implementation{Name: "acptool", Title: "acptool", Version: "0.1.0"}

func TestInitializeParams(t *testing.T) {
	const (
		caps1 = `"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"plan":{},"session":{"compaction":{},"configOptions":{"boolean":{}},"notices":{}},"subagents":{},"terminal":false}`
		info  = `{"name":"acptool","title":"acptool","version":"0.1.0"}`
	)
	for choice, want := range map[Choice]string{
		Auto:  `{"protocolVersion":2,` + caps1 + `,"clientInfo":` + info + `,"capabilities":{},"info":` + info + `}`,
		Only1: `{"protocolVersion":1,` + caps1 + `,"clientInfo":` + info + `}`,
		Only2: `{"protocolVersion":2,"capabilities":{},"info":` + info + `}`,
	} {
		got, err := InitializeParams(choice, us, nil, nil)
		if err != nil || string(got) != want {
			t.Errorf("%s:\n got %s, %v\nwant %s", choice, got, err, want)
		}
	}
}

func TestInitializeParamsMerged(t *testing.T) {
	got, err := InitializeParams(Only2, us, nil, json.RawMessage(` {"protocolVersion":99,"capabilities":{"elicitation":{"form":{}}},"info":{"title":null},"_meta":{"a":null,"b":1}}`))
	want := `{"_meta":{"b":1},"capabilities":{"elicitation":{"form":{}}},"info":{"name":"acptool","version":"0.1.0"},"protocolVersion":99}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	var u *UsageError
	if _, err := InitializeParams(Auto, us, nil, json.RawMessage(`[1]`)); !errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
}

func TestDecodeInitialize(t *testing.T) {
	const (
		one  = `{"protocolVersion":1,"agentCapabilities":{"loadSession":true},"agentInfo":{"name":"a","version":"1"},"authMethods":[{"id":"k","name":"K"}]}`
		two  = `{"protocolVersion":2,"info":{"name":"a","title":"A","version":"1"},"capabilities":{"session":{}},"authMethods":[{"methodId":"k","type":"agent"}]}`
		echo = `{"protocolVersion":2,"agentCapabilities":{"loadSession":true}}`
	)
	tests := []struct {
		name   string
		choice Choice
		result string
		want   Version
		warns  int
	}{
		{"1 on auto", Auto, one, V1, 0}, {"2 on auto", Auto, two, V2, 0},
		{"1 asked", Only1, one, V1, 0}, {"2 asked", Only2, two, V2, 0},
		{"echo", Auto, echo, V1, 1},
		{"bare 1", Auto, `{"protocolVersion":1}`, V1, 0},
		{"1.0", Auto, `{"protocolVersion":1.0}`, V1, 0},
		{"2 without info", Auto, `{"protocolVersion":2,"capabilities":{}}`, V2, 1},
		{"2 with both shapes", Auto, `{"protocolVersion":2,"agentCapabilities":{},"capabilities":{},"info":{"name":"a","version":"1"}}`, V2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			warns := 0
			p, err := decodeInitialize(tt.choice, json.RawMessage(tt.result), func(string) { warns++ })
			if err != nil || p.Protocol != tt.want || p.Caps.Version() != tt.want || warns != tt.warns {
				t.Errorf("got version %d, %d warnings, %v", p.Protocol, warns, err)
			}
		})
	}
	p, _ := decodeInitialize(Auto, json.RawMessage(two), nil)
	if p.Info != (Implementation{"a", "A", "1"}) || len(p.AuthMethods) != 1 || !p.Caps.Resume() {
		t.Errorf("got %+v", p)
	}
	p, _ = decodeInitialize(Auto, json.RawMessage(echo), func(string) {})
	if !p.Caps.Load() {
		t.Error("an echo agent's capabilities are not read in version 1's shape")
	}
}

func TestNoCommonVersion(t *testing.T) {
	tests := []struct {
		choice Choice
		result string
		text   string
	}{
		{Auto, `{"protocolVersion":3,"info":{}}`, "we speak 1, 2, the agent 3"},
		{Auto, `{"protocolVersion":0}`, "we speak 1, 2, the agent 0"},
		{Only1, `{"protocolVersion":2,"info":{},"capabilities":{}}`, "we speak 1, the agent 2"},
		{Only2, `{"protocolVersion":1}`, "we speak 2, the agent 1"},
		{Only2, `{"protocolVersion":2,"agentCapabilities":{}}`, "we speak 2, the agent 1"},
	}
	for _, tt := range tests {
		_, err := decodeInitialize(tt.choice, json.RawMessage(tt.result), func(string) {})
		var v *VersionError
		if !errors.As(err, &v) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s, %s: got %v", tt.choice, tt.result, err)
		}
	}
}

func TestInitializeMalformed(t *testing.T) {
	for result, text := range map[string]string{
		`null`:                              "no object",
		`{}`:                                "protocolVersion",
		`{"protocolVersion":null}`:          "no integer",
		`{"protocolVersion":1.5}`:           "no integer",
		`{"protocolVersion":"2025-06-18"}`:  "Model Context Protocol",
		`{"protocolVersion":"x"}`:           "protocolVersion is no integer: \"x\"",
		`{"protocolVersion":"1"}`:           "protocolVersion is no integer: \"1\"",
		`{"protocolVersion":{},"info":{}}`:  "no integer",
		`{"protocolVersion":[2],"info":{}}`: "no integer",
	} {
		_, err := decodeInitialize(Auto, json.RawMessage(result), func(string) {})
		var p *ProtocolError
		if !errors.As(err, &p) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v", result, err)
		}
	}
}

func FuzzDecodeInitialize(f *testing.F) {
	f.Add([]byte(`{"protocolVersion":2,"info":{"name":"a","version":"1"},"capabilities":{"session":{}}}`))
	f.Add([]byte(`{"protocolVersion":1,"agentCapabilities":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := decodeInitialize(Auto, data, func(string) {})
		if (err == nil) != (p.Protocol == V1 || p.Protocol == V2) {
			t.Fatalf("version %d, %v", p.Protocol, err)
		}
		if err == nil {
			for _, m := range Methods() {
				_ = p.Offers(m.Name)
			}
			_ = p.Offers("_x/y")
		}
	})
}
