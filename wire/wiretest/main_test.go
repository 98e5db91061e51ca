package wiretest

import (
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"testing"

	"github.com/acptool/acptool/wire"
	"go.uber.org/goleak"
)

// The test binary plays the fake agent if it is called by that name.
func TestMain(m *testing.M) {
	wire.RunGuardIfAsked()
	if os.Args[0] == "fakeagent" {
		os.Exit(FakeAgentMain())
	}
	signals.Default()
	goleak.VerifyTestMain(m)
}
