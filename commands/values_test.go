package commands

import (
	"slices"
	"testing"
)

// TestEveryValueIsDecided: whoever adds a flag decides how its value is
// completed. These are the ones that hold free text.
func TestEveryValueIsDecided(t *testing.T) {
	free := []string{
		"allow-origin", "auth", "block", "config", "drain", "env", "header", "idle-timeout", "ignore", "init-params", "init-timeout", "interval",
		"jq", "last", "limit", "max-conns", "max-frame", "mode", "model", "redact", "timeout", "arg", "argjson",
	}
	for _, c := range Docs() {
		for _, f := range c.Flags {
			if f.Arity == 0 {
				continue
			}
			name := append(slices.Clone(f.Long), f.Short...)[0]
			if f.Values.Kind == KindFree && !slices.Contains(free, name) {
				t.Errorf("%s --%s: say in flagValues what its values are", c.Name, name)
			}
		}
	}
}
