package commands

import (
	"fmt"
	"io"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
)

// writeTranscript writes a folded session as people read it.
func writeTranscript(w io.Writer, s pretty.Screen, f *acp.Fold) error {
	for _, item := range f.Items() {
		if item.Message == nil {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", item.Type, item.Message.Content.Text()); err != nil {
			return err
		}
	}
	return nil
}
