package record

import (
	"bufio"
	"io"

	"github.com/acptool/acptool/wire"
)

// WriteRaw writes what one party sent, byte for byte as it stood on the wire,
// unless it was redacted.
func WriteRaw(w io.Writer, r *Reader, from wire.Party) error {
	out := bufio.NewWriterSize(w, flushSize)
	for {
		e, err := r.Next()
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil {
			_ = out.Flush()
			return err
		}
		if err := writeRaw(out, e, from); err != nil {
			return err
		}
	}
}

func writeRaw(out *bufio.Writer, e Entry, from wire.Party) error {
	if e.Kind != wire.EntryLine || e.From != from {
		return nil
	}
	if _, err := out.Write(e.Data); err != nil {
		return err
	}
	_, err := out.WriteString(e.EOL)
	return err
}
