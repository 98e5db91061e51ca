package wiretest

// FakeAgentMain plays an agent by the script in the file os.Args[1] and
// returns the exit status. A test binary registers it as a command for
// testscript:
//
//	testscript.Main(m, map[string]func(){"fakeagent": func() { os.Exit(wiretest.FakeAgentMain()) }})
func FakeAgentMain() int { return 70 }
