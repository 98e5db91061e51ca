package wire

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	RunGuardIfAsked()
	if fifo := os.Getenv("WIRE_TEST_TOOL"); fifo != "" {
		toolForTests(fifo)
	}
	goleak.VerifyTestMain(m)
}
