package record

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// update rewrites the golden files under testdata.
var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
