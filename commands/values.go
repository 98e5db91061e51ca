package commands

// Values says what a value can be, for completion in shells.
type Values struct {
	Kind  ValueKind
	Words []string // of a KindWords; beside files of a KindFile
	List  bool     // several, with commas between them
}

// ValueKind is where the values come from.
type ValueKind int

// The kinds. KindAgent, KindAddress and KindSession are asked of the tool
// itself (see __complete), the others are known when the script is written, or
// to the shell.
const (
	KindFree      ValueKind = iota // text, a number: nothing to suggest
	KindWords                      // one of a few words
	KindFile                       // a file
	KindDir                        // a directory
	KindRecording                  // a recording, or @last
	KindAgent                      // an agent's name or address
	KindAddress                    // an address
	KindSession                    // a session of the agent that the line names
	KindVariable                   // a variable of the environment
)

func oneOf(words ...string) Values  { return Values{Kind: KindWords, Words: words} }
func someOf(words ...string) Values { return Values{Kind: KindWords, Words: words, List: true} }

// argValues says what a command's positional arguments are.
func argValues(command string) Values {
	switch command {
	case "status", "resume", "close", "delete", "cancel":
		return Values{Kind: KindSession}
	case "show", "replay":
		return Values{Kind: KindRecording}
	case "agents":
		return Values{Kind: KindAgent}
	case "setup":
		var names []string
		for _, x := range editors() {
			names = append(names, x.name)
		}
		return oneOf(names...)
	case "completion":
		return oneOf(shells()...)
	case "help":
		return oneOf() // the commands, which the generators know
	case "call":
		return oneOf(clientMethods()...)
	}
	return Values{}
}

// flagValues says what the value of a command's flag is, by the flag's first
// name.
func flagValues(command, flag string) Values {
	switch flag {
	case "agent":
		return Values{Kind: KindAgent}
	case "connect", "listen":
		return Values{Kind: KindAddress}
	case "session":
		return Values{Kind: KindSession}
	case "cwd", "add-dir", "man":
		return Values{Kind: KindDir}
	case "bearer-env":
		return Values{Kind: KindVariable}
	case "agent-stderr":
		return Values{Kind: KindFile, Words: []string{"hide", "show"}}
	case "cacert", "mcp-config", "session-file", "file", "attach", "image", "audio", "log", "output", "report", "junit", "record":
		return Values{Kind: KindFile}
	case "is", "wait":
		return someOf("active", "inactive", "running", "idle", "requires_action", "exited")
	case "protocol":
		return oneOf("auto", "1", "2")
	case "demo":
		return oneOf("any", "1", "2")
	case "color":
		return oneOf("auto", "always", "never")
	case "body":
		return oneOf("pretty", "raw")
	case "fs":
		return oneOf("read", "write")
	case "permission":
		return oneOf("reject", "allow", "allow:read,search", "ask", "jq:")
	case "format":
		return oneOf("log", "transcript", "markdown", "patch", "mermaid", "html", "stats", "raw:client", "raw:agent")
	case "match":
		return oneOf("similar", "strict")
	case "speed":
		return oneOf("max", "1", "2", "10")
	case "from":
		if command == "status" {
			return Values{Kind: KindRecording}
		}
		return oneOf("client", "agent")
	case "mode":
		if command == "record" {
			return oneOf("all", "once", "none")
		}
	case "redact":
		if command == "show" {
			return someOf("paths", "ids", "text")
		}
	case "only", "except":
		return someOf("request", "response", "notification", "error", "noise", "malformed", "stderr", "eof", "exit")
	}
	return Values{}
}
