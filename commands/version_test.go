package commands

import (
	"runtime/debug"
	"slices"
	"testing"
)

// TestVersion: each way of building leaves other things in the program.
func TestVersion(t *testing.T) {
	platform := []debug.BuildSetting{{Key: "GOARCH", Value: "arm64"}, {Key: "GOOS", Value: "linux"}}
	git := slices.Concat([]debug.BuildSetting{
		{Key: "vcs", Value: "git"},
		{Key: "vcs.revision", Value: "d35cc51103bcf885c35d52f4e771a8354efeb06c"},
		{Key: "vcs.time", Value: "2026-11-30T10:29:15Z"},
	}, platform)
	for name, c := range map[string]struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		"a release": {
			"v1.2.3", slices.Concat(git, []debug.BuildSetting{{Key: "vcs.modified", Value: "false"}}),
			"acptool 1.2.3 (d35cc51103bc, 2026-11-30) go1.26.8 linux/arm64",
		},
		"go install of a release": {
			"v1.2.3", platform,
			"acptool 1.2.3 go1.26.8 linux/arm64",
		},
		"go install of a commit": {
			"v0.0.0-20261130102915-d35cc51103bc", platform,
			"acptool 0.0.0-20261130102915-d35cc51103bc go1.26.8 linux/arm64",
		},
		"a clone with changes": {
			"v1.2.4-0.20261130102915-d35cc51103bc+dirty", slices.Concat(git, []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}),
			"acptool 1.2.4-0.20261130102915-d35cc51103bc+dirty (d35cc51103bc, 2026-11-30, modified) go1.26.8 linux/arm64",
		},
		"without git": {
			"(devel)", platform,
			"acptool devel go1.26.8 linux/arm64",
		},
	} {
		t.Run(name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26.8", Settings: c.settings}
			info.Main.Version = c.version
			if got := versionOf(info); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
