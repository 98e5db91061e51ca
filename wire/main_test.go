package wire

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	RunGuardIfAsked()
	goleak.VerifyTestMain(m)
}
