package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

// ListenOptions say who may connect.
type ListenOptions struct {
	Public       bool     // allow an address that means all interfaces
	AllowOrigins []string // patterns of hosts whose web pages may connect by WebSocket, besides our own
	MaxFrame     int64    // the longest message; 0: DefaultMaxFrame
}

// Incoming is one connection that was accepted.
type Incoming struct {
	Side   Side
	Remote string // who connected, for messages
	Close  func() // ends the connection; safe to repeat
}

// Listener waits for connections.
type Listener struct {
	address string // with the port that was given out
	accept  func() (*Incoming, error)
	close   func() error
}

// Address is where clients connect: with the real port where 0 was asked for.
func (l *Listener) Address() string { return l.address }

// Accept waits for the next connection; net.ErrClosed after Close.
func (l *Listener) Accept() (*Incoming, error) { return l.accept() }

// Close stops listening and removes a socket's file. Connections that were
// accepted go on.
func (l *Listener) Close() error { return l.close() }

// ListenError says that an address cannot be listened on.
type ListenError struct {
	Address string
	Err     error
}

func (e *ListenError) Error() string { return fmt.Sprintf("cannot listen on %s: %v", e.Address, e.Err) }
func (e *ListenError) Unwrap() error { return e.Err }

// keepAlive finds peers that have gone without a word.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3}

// Listen listens on unix:PATH, tcp:HOST:PORT (lines) or ws://HOST:PORT/PATH.
// Without a host it is the loopback interface; an address that means all
// interfaces needs ListenOptions.Public. The errors are *AddressError and
// *ListenError.
func Listen(ctx context.Context, address string, o ListenOptions) (*Listener, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme {
	case "unix":
		return listenUnix(address, rest)
	case "tcp":
		l, err := listenTCP(ctx, address, rest, o)
		if err != nil {
			return nil, err
		}
		return lineListener(l, "tcp:"+l.Addr().String(), l.Close), nil
	case "ws":
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return nil, &AddressError{address, "write ws://HOST:PORT/PATH"}
		}
		l, err := listenTCP(ctx, address, u.Host, o)
		if err != nil {
			return nil, err
		}
		return webSocketListener(l, u.Path, o), nil
	}
	return nil, &AddressError{address, "an address to listen on begins with unix:, tcp: or ws://"}
}

// listenTCP listens on a host and port, on loopback where no host is given.
func listenTCP(ctx context.Context, address, hostPort string, o ListenOptions) (net.Listener, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, &AddressError{address, "the port is missing"}
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if !o.Public && meansAll(host) {
		return nil, &AddressError{address, "that is every interface of this machine; say --public if you mean it"}
	}
	lc := net.ListenConfig{KeepAliveConfig: keepAlive}
	l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, &ListenError{address, listenCause(err)}
	}
	return l, nil
}

// meansAll says whether a host stands for all interfaces. Names such as "0"
// are resolved as the system would.
func meansAll(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsUnspecified()
	}
	addrs, err := net.LookupIP(host)
	if err != nil {
		return host == "*" || host == "0"
	}
	for _, a := range addrs {
		if a.IsUnspecified() {
			return true
		}
	}
	return false
}

// lineListener accepts sockets that carry lines.
func lineListener(l net.Listener, address string, closeAll func() error) *Listener {
	return &Listener{address: address, close: closeAll, accept: func() (*Incoming, error) {
		conn, err := l.Accept()
		if err != nil {
			return nil, err
		}
		s, ok := conn.(Socket)
		if !ok {
			return nil, errors.ErrUnsupported
		}
		return &Incoming{Side: SocketSide(s), Remote: remoteName(conn), Close: func() { _ = conn.Close() }}, nil
	}}
}

// remoteName names a client; a unix socket's client has no name.
func remoteName(c net.Conn) string {
	if name := c.RemoteAddr().String(); name != "" && name != "@" {
		return name
	}
	return "a local process"
}

// listenCause takes the address off an error that names it elsewhere.
func listenCause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

var _ io.Closer = (*Listener)(nil)
