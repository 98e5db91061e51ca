package commands

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// What helps a person with an error of the connection or the agent: one line,
// "" where there is nothing to add.

// clientMethods are the names of what a client can send.
func clientMethods() []string {
	var names []string
	for _, m := range acp.Methods() {
		if m.From == wire.Client && m.Name != "initialize" && !strings.HasPrefix(m.Name, "$/") {
			names = append(names, m.Name)
		}
	}
	return names
}

// offerHint helps with what an agent does not offer: the method that was meant,
// or another way to what was asked.
func offerHint(u *acp.UnsupportedError) string {
	known := slices.Contains(clientMethods(), u.What)
	switch {
	case u.What == "session/status":
		return "acptool status --from FILE answers from the recording that acptool record writes beside an agent"
	case known && u.Capability != "":
		return "acptool status lists what an agent offers; acptool call --unadvertised sends it all the same"
	case known:
		return ""
	}
	if near := nearest(u.What, clientMethods()); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// npxError is an error of an agent that npx was to fetch and start.
type npxError struct{ error }

func (n *npxError) Unwrap() error { return n.error }

// byNpx says whether npx starts the agent.
func (t target) byNpx() bool {
	return t.started() && strings.TrimSuffix(filepath.Base(t.Argv[0]), ".cmd") == "npx"
}

// goneHint helps with a program that ends at once and does not say why.
func goneHint(gone *acp.GoneError, err error) string {
	var at *addressError
	if gone.Method != "initialize" || len(gone.Stderr) > 0 || errors.As(err, &at) {
		return ""
	}
	return speaksHint
}

// speaksHint is for programs that are something else unless asked to be agents.
const speaksHint = "does the command need a flag to speak ACP (such as acp or --acp)?"

func timeoutHint(t *acp.TimeoutError, err error) string {
	var at *addressError
	longer := "--init-timeout and --timeout give it longer"
	if t.Idle {
		longer = "--idle-timeout gives it longer"
	}
	var npx *npxError
	switch {
	case t.Phase == "initialize" && errors.As(err, &npx):
		return "npx may still be fetching the package; " + longer
	case t.Phase == "initialize" && errors.As(err, &at):
		return "does an agent answer at " + at.address + "? " + longer
	case t.Phase == "initialize":
		return speaksHint + " " + longer
	case t.Idle:
		return longer
	case t.Last != "":
		return "--timeout DURATION waits longer, as in --timeout 1h"
	}
	return "--timeout gives it longer"
}

func startHint(err error) string {
	var dial *wire.DialError
	if errors.As(err, &dial) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)) {
		return "does an agent listen there? acptool tap --listen " + wire.Quote(dial.Address) + " -- AGENT starts one that does"
	}
	var start *wire.StartError
	if !errors.As(err, &start) {
		return ""
	}
	switch {
	case errors.Is(err, exec.ErrDot):
		return "programs of this directory are not taken from PATH; write " + wire.Quote("."+string(filepath.Separator)+start.Argv[0])
	case start.NotFound():
		return "is it installed, and is its directory in PATH? --agent @demo is an agent to try things out with"
	case start.NotExecutable():
		return "is it a program, and may it be executed (chmod +x)?"
	}
	return ""
}
