package wire

import (
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	RunGuardIfAsked()
	if fifo := os.Getenv("WIRE_TEST_TOOL"); fifo != "" {
		toolForTests(fifo)
	}
	if fifo := os.Getenv("WIRE_TEST_STRAY"); fifo != "" {
		strayForTests(fifo)
	}
	signals.Default()
	goleak.VerifyTestMain(m)
}

// toolForTests starts an agent behind a wrapper that ignores SIGTERM, and
// waits to be killed.
func toolForTests(fifo string) {
	_, err := StartChild(Command{Argv: []string{"sh", "-c",
		`sh -c 'trap "" TERM HUP; exec 3>"$1"; echo '$$' >&3; while :; do sleep 0.01; done' sh "$1" & wait`, "sh", fifo}})
	if err != nil {
		os.Exit(1)
	}
	// From here on the guard watches.
	f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		os.Exit(1)
	}
	for { // stays open, so that its end is the tool's
		_, _ = f.WriteString("watched\n")
		select {}
	}
}
