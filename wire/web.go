package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
)

// UndeliveredError says that one request did not reach the agent, or that its
// answer can no longer come, while the connection goes on: over HTTP a
// session's stream or one POST can fail alone. Transport.ReadLine returns it
// between lines.
type UndeliveredError struct {
	ID  ID
	Err error
}

func (e *UndeliveredError) Error() string { return fmt.Sprintf("request %s failed: %v", e.ID, e.Err) }
func (e *UndeliveredError) Unwrap() error { return e.Err }

// BrokenError says that an established connection failed.
type BrokenError struct {
	Address string
	Err     error
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("connection to %s broke: %v", e.Address, e.Err)
}
func (e *BrokenError) Unwrap() error { return e.Err }

// webURL parses an address with a host.
func webURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, &AddressError{address, "not a URL"}
	}
	if u.Host == "" {
		return nil, &AddressError{address, "the host is missing"}
	}
	return u, nil
}

// messageLines makes lines of what came as one message. JSON may hold newlines
// only between its tokens, where a space says the same; anything else is cut
// into the lines that it shows.
func messageLines(data []byte) [][]byte {
	if !bytes.ContainsAny(data, "\r\n") {
		return [][]byte{data}
	}
	if !json.Valid(data) {
		return bytes.Split(data, []byte("\n"))
	}
	out := bytes.Clone(data)
	for i, c := range out {
		if c == '\n' || c == '\r' {
			out[i] = ' '
		}
	}
	return [][]byte{out}
}
