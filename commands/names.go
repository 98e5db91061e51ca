package commands

// named resolves @NAME.
func (e *env) named(name string) (target, error) {
	return target{}, usagef("", "there is no agent named @%s", name)
}
