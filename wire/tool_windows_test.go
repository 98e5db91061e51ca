package wire

// toolForTests is for a test of the guard, which Windows does not need.
func toolForTests(string) {}
