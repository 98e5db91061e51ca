package wire

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
)

// DialOptions say how to connect to an agent that already runs.
type DialOptions struct {
	MaxFrame int64       // the longest line or message that is accepted; 0: DefaultMaxFrame
	Header   http.Header // sent with every HTTP request and with a WebSocket's upgrade
	TLS      *tls.Config // for wss:// and https://; nil: the system's defaults
}

// maxFrame is the limit in force.
func (o DialOptions) maxFrame() int64 {
	if o.MaxFrame <= 0 {
		return DefaultMaxFrame
	}
	return o.MaxFrame
}

// AddressError says that an address is spelled in no way that we know.
type AddressError struct {
	Address string
	Reason  string
}

func (e *AddressError) Error() string { return fmt.Sprintf("%q: %s", e.Address, e.Reason) }

// DialError says that nobody could be reached at an address.
type DialError struct {
	Address string
	Err     error
}

func (e *DialError) Error() string { return fmt.Sprintf("cannot connect to %s: %v", e.Address, e.Err) }
func (e *DialError) Unwrap() error { return e.Err }

// Dial connects to an address: unix:PATH, tcp:HOST:PORT (lines), ws://, wss://
// (dialWebSocket), http://, https:// (dialHTTP). The errors are *AddressError,
// *DialError, and those of ctx wrapped in a *DialError.
func Dial(ctx context.Context, address string, o DialOptions) (Transport, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme {
	case "unix", "tcp":
		return dialSocket(ctx, scheme, rest, address, o)
	case "ws", "wss":
		return dialWebSocket(ctx, address, o)
	case "http", "https":
		return dialHTTP(ctx, address, o)
	}
	return nil, &AddressError{address, "an address begins with unix:, tcp:, ws://, wss://, http:// or https://"}
}
