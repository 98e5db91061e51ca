package commands

// demoAgent resolves @demo, @demo-v1 and @demo-v2: the tool replaying a
// recording that is built in.
func (e *env) demoAgent(name string) (target, error) {
	return target{}, usagef("", "the agent @%s is not built yet", name)
}
