package wire

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// How long a client may take to say what it wants.
const upgradeTimeout = 10 * time.Second

// webSocketListener accepts WebSocket connections at one path. The library
// checks that a browser's Origin is our own host, or one that is allowed: any
// web page could connect to loopback otherwise.
func webSocketListener(l net.Listener, path string, o ListenOptions) *Listener {
	if path == "" {
		path = "/"
	}
	ws := &wsListener{o: o, path: path, accepted: make(chan *Incoming), closed: make(chan struct{})}
	server := &http.Server{Handler: ws, ReadHeaderTimeout: upgradeTimeout}
	served := make(chan struct{})
	go func() { // ends with the server
		defer close(served)
		_ = server.Serve(l)
	}()
	return &Listener{
		address: "ws://" + l.Addr().String() + path,
		accept:  ws.accept,
		close: func() error {
			var err error
			ws.closing.Do(func() {
				close(ws.closed)
				err = server.Close() // connections that were taken over are not its any more
				<-served
			})
			return err
		},
	}
}

type wsListener struct {
	o        ListenOptions
	path     string
	accepted chan *Incoming
	closed   chan struct{}
	closing  sync.Once
}

func (w *wsListener) accept() (*Incoming, error) {
	select {
	case in := <-w.accepted:
		return in, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// ServeHTTP upgrades one connection and hands it to Accept.
func (w *wsListener) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.URL.Path != w.path {
		http.NotFound(rw, r)
		return
	}
	id := rand.Text()
	rw.Header().Set(connectionIDHeader, id)
	conn, err := websocket.Accept(rw, r, &websocket.AcceptOptions{
		OriginPatterns:  w.o.AllowOrigins,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return // the library has answered
	}
	limit := DialOptions{MaxFrame: w.o.MaxFrame}.maxFrame()
	conn.SetReadLimit(limit)
	t := &wsTransport{address: r.RemoteAddr, connectionID: id, conn: conn, max: limit}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	in := &Incoming{Side: TransportSide(t, nil), Remote: r.RemoteAddr, Close: func() {
		ctx, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		_ = t.Close(ctx)
	}}
	select {
	case w.accepted <- in:
	case <-w.closed:
		in.Close()
	}
}

// How long a closing handshake may take.
const farewell = 2 * time.Second
