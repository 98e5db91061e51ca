package commands

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSetupBlocks(t *testing.T) {
	x := entry{
		Name: "opencode (recorded)", ID: "opencode",
		Argv: []string{"/opt/tools/acptool", "record", "--", `/opt/my agents/open"code`, "acp", `C:\x`},
		Env:  []string{"OPENCODE_LOG=debug", "EMPTY="},
	}
	for _, ed := range editors() {
		golden(t, "setup/"+ed.name+".txt", ed.block(x))
		x := x
		x.Env = nil
		golden(t, "setup/"+ed.name+"-no-env.txt", ed.block(x))
	}
	if !json.Valid([]byte(jetbrainsBlock(x))) {
		t.Error("the block for JetBrains is no JSON")
	}
}

func TestSetupNames(t *testing.T) {
	for want, target := range map[string]target{
		"opencode":         {Label: "opencode acp", Argv: []string{"/usr/bin/opencode", "acp"}},
		"claude":           {Label: "@claude", Argv: []string{"npx", "-y", "x"}},
		"claude-agent-acp": {Label: "x", Argv: []string{"npx", "-y", "@agentclientprotocol/claude-agent-acp@1.2.3"}},
		"agent":            {Label: "unix:/s", Address: "unix:/s"},
	} {
		if got := shortName(target); got != want {
			t.Errorf("%v: %q, want %q", target, got, want)
		}
	}
}

func TestSetupCodecompanionAdapter(t *testing.T) {
	for id, want := range map[string]string{"claude-agent-acp": "claude_code", "gemini": "gemini_cli", "something": "opencode"} {
		if got := codecompanionBlock(entry{ID: id, Argv: []string{"a"}}); !strings.Contains(got, `extend("`+want+`"`) {
			t.Errorf("%s: %s", id, got)
		}
	}
}
