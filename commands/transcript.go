package commands

import (
	"io"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
)

// writeTranscript writes a folded session as people read it.
func writeTranscript(w io.Writer, s pretty.Screen, f *acp.Fold) error {
	return pretty.WriteTranscript(w, s, f)
}
