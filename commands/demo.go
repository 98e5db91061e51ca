package commands

import "os"

// demoNames are the names of the demo: with any version of the protocol, and with
// one.
func demoNames() []string { return []string{"@demo", "@demo-v1", "@demo-v2"} }

// demoAgent resolves @demo, @demo-v1 and @demo-v2: the tool replaying a
// recording that is built in, as a process of its own, so that all that is done
// with agents can be done with it.
func (e *env) demoAgent(name string) (target, error) {
	self, err := os.Executable()
	if err != nil {
		return target{}, ownf(err, "find our own program")
	}
	version := "any"
	switch name {
	case "demo-v1":
		version = "1"
	case "demo-v2":
		version = "2"
	}
	return target{Label: "@" + name, Argv: []string{self, "replay", "--demo", version}}, nil
}
