package commands

import (
	"fmt"
	"io"
	"os"

	"github.com/acptool/acptool/wire"
)

// mostRead is how much is read of a file or of stdin that is taken whole: no
// frame of more would be accepted either. A device or an endless pipe that was
// named by mistake must not take all memory.
const mostRead = wire.DefaultMaxFrame

// readFile reads a whole file.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}

// readAll reads a stream to its end.
func readAll(r io.Reader) ([]byte, error) { return readMost(r, mostRead) }

func readMost(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("there is no end within %d bytes", most)
	}
	return text, err
}
