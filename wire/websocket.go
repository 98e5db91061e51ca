package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/coder/websocket"
)

// connectionIDHeader names a remote connection: in the upgrade response of a
// WebSocket, in the answer to initialize over HTTP and in every later request
// (ACP remote-transport RFD).
const connectionIDHeader = "Acp-Connection-Id"

// wsTransport is a WebSocket connection to an agent: one JSON-RPC message in
// each text frame, both ways.
type wsTransport struct {
	address      string
	connectionID string
	conn         *websocket.Conn
	max          int64

	ctx    context.Context // ends all reads and writes
	cancel context.CancelFunc

	closing sync.Once

	split [][]byte // lines of a message that was no JSON, still to be read
}

// dialWebSocket opens ws:// and wss:// addresses.
func dialWebSocket(ctx context.Context, address string, o DialOptions) (Transport, error) {
	u, err := webURL(address)
	if err != nil {
		return nil, err
	}
	client := newHTTPClient(o, false)
	conn, resp, err := websocket.Dial(ctx, u.String(), &websocket.DialOptions{
		HTTPClient: client,
		HTTPHeader: o.Header.Clone(),
		// Local debugging gains nothing from compression, and a frame's time
		// on the wire should be the agent's, not the compressor's.
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, &DialError{Address: u.Redacted(), Err: upgradeError(ctx, resp, err)}
	}
	conn.SetReadLimit(o.maxFrame())
	t := &wsTransport{address: u.Redacted(), connectionID: resp.Header.Get(connectionIDHeader), conn: conn, max: o.maxFrame()}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t, nil
}

// upgradeError makes one cause of a failed upgrade: what the server said
// instead, or what the network did.
func upgradeError(ctx context.Context, resp *http.Response, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
		return newStatusError(resp, "not a WebSocket")
	}
	return networkCause(err)
}

// ReadLine returns the next message as a line. Newlines between its tokens
// become spaces, since a line is what logs, recordings and bridges keep.
func (t *wsTransport) ReadLine() (Line, error) {
	if len(t.split) > 0 {
		l := t.split[0]
		t.split = t.split[1:]
		return Line{Bytes: l, EOL: "\n"}, nil
	}
	_, data, err := t.conn.Read(t.ctx)
	if err != nil {
		return Line{}, t.readError(err)
	}
	lines := messageLines(data)
	t.split = lines[1:]
	return Line{Bytes: lines[0], EOL: "\n"}, nil
}

// readError tells an orderly end from a broken connection.
func (t *wsTransport) readError(err error) error {
	var ce websocket.CloseError
	switch {
	case t.ctx.Err() != nil:
		return io.EOF
	case errors.As(err, &ce):
		if ce.Code == websocket.StatusNormalClosure || ce.Code == websocket.StatusGoingAway {
			return io.EOF
		}
		return &BrokenError{Address: t.address, Err: fmt.Errorf("closed by the agent: %s %q", ce.Code, ce.Reason)}
	case errors.Is(err, websocket.ErrMessageTooBig):
		return &FrameTooLongError{Limit: t.max}
	}
	return &BrokenError{Address: t.address, Err: networkCause(err)}
}

// WriteMessage sends msg as one text frame.
func (t *wsTransport) WriteMessage(msg []byte) error {
	if err := t.conn.Write(t.ctx, websocket.MessageText, msg); err != nil {
		if t.ctx.Err() != nil {
			return io.ErrClosedPipe
		}
		return &BrokenError{Address: t.address, Err: networkCause(err)}
	}
	return nil
}

// Close performs the closing handshake; where ctx ends first it just hangs up.
func (t *wsTransport) Close(ctx context.Context) error {
	t.closing.Do(func() {
		done := make(chan error, 1)
		go func() { done <- t.conn.Close(websocket.StatusNormalClosure, "") }() // ends with the handshake or CloseNow
		select {
		case <-done:
		case <-ctx.Done():
			_ = t.conn.CloseNow()
			<-done
		}
		t.cancel()
	})
	return nil
}

// Exit reports nothing: the agent is no process of ours.
func (t *wsTransport) Exit() (Exit, bool) { return Exit{}, false }

// StderrTail is empty: a remote agent's stderr stays where it is.
func (t *wsTransport) StderrTail() []byte { return nil }

// Address is the URL without its password.
func (t *wsTransport) Address() string { return t.address }

// ConnectionID is what the server calls this connection, "" if nothing.
func (t *wsTransport) ConnectionID() string { return t.connectionID }
