package wire

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync"
	"time"
)

// The header that names a session in every request that concerns one.
const sessionIDHeader = "Acp-Session-Id"

// How long the farewell of a connection may take.
const httpDeleteTimeout = 2 * time.Second

// httpTransport speaks Streamable HTTP as the ACP remote-transport RFD has it:
// client messages are POSTed, agent messages come over server-sent events, one
// stream for the connection and one for each session. The answer to initialize
// comes in its POST's response and names the connection.
type httpTransport struct {
	address string // for messages: without credentials
	url     string
	header  http.Header
	max     int64

	ctx    context.Context // ends every request
	cancel context.CancelFunc

	lines chan inbound   // what the streams read; never closed
	posts chan posting   // client messages, in order
	work  sync.WaitGroup // the poster and the streams

	mu       sync.Mutex
	client   *http.Client
	connID   string
	sessions map[string]*sessionStream
	asked    map[ID]string // agent requests to be answered, and their session
	pending  map[ID]string // our requests in flight that a session's stream will answer
	ended    error         // why the connection is over; io.EOF in order
	over     chan struct{} // closed with ended

	closing sync.Once
}

// posting is a client message to be sent, or a mark that is closed once all
// before it were.
type posting struct {
	msg  []byte
	mark chan struct{}
}

// inbound is one thing for the reader: a line, or the failure of one request.
type inbound struct {
	line Line
	err  error
}

// dialHTTP makes the transport. Nothing is sent before the first message,
// which must be initialize: only its answer gives the connection its name.
func dialHTTP(_ context.Context, address string, o DialOptions) (Transport, error) {
	u, err := webURL(address)
	if err != nil {
		return nil, err
	}
	t := &httpTransport{
		address: u.Redacted(), url: u.String(), header: o.Header.Clone(), max: o.maxFrame(),
		client: newHTTPClient(o, false),
		lines:  make(chan inbound), posts: make(chan posting, 64), over: make(chan struct{}),
		sessions: map[string]*sessionStream{}, asked: map[ID]string{}, pending: map[ID]string{},
	}
	if t.header == nil {
		t.header = http.Header{}
	}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.work.Add(1)
	go t.poster(o) // ends with t.ctx
	return t, nil
}

// ReadLine returns the next message of any stream. An *UndeliveredError
// concerns one request only; reading goes on after it.
func (t *httpTransport) ReadLine() (Line, error) {
	select {
	case in := <-t.lines:
		return in.line, in.err
	case <-t.over:
	}
	select { // what was read before the end still counts
	case in := <-t.lines:
		return in.line, in.err
	default:
		t.mu.Lock()
		defer t.mu.Unlock()
		return Line{}, t.ended
	}
}

// WriteMessage queues msg for its POST; messages go out in order. A failure
// comes back through ReadLine, since it may concern one session only.
func (t *httpTransport) WriteMessage(msg []byte) error {
	select {
	case <-t.over:
		return io.ErrClosedPipe
	case t.posts <- posting{msg: append([]byte(nil), msg...)}:
		return nil
	}
}

// Flush waits until the server has answered the POST of every message that was
// written before. Without it, Close may cut off what is still on its way.
func (t *httpTransport) Flush(ctx context.Context) error {
	mark := make(chan struct{})
	select {
	case t.posts <- posting{mark: mark}:
	case <-t.over:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-mark:
		return nil
	case <-t.over:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close ends the connection on the server with DELETE and waits for all
// streams to end.
func (t *httpTransport) Close(ctx context.Context) error {
	t.closing.Do(func() {
		t.end(io.EOF)
		t.mu.Lock()
		id, client := t.connID, t.client
		t.mu.Unlock()
		if id != "" {
			t.delete(ctx, client, id)
		}
		t.work.Wait()
		client.CloseIdleConnections()
	})
	return nil
}

// delete says farewell. What comes of it changes nothing for us.
func (t *httpTransport) delete(ctx context.Context, client *http.Client, id string) {
	ctx, cancel := context.WithTimeout(ctx, httpDeleteTimeout)
	defer cancel()
	req, err := t.request(ctx, http.MethodDelete, nil)
	if err != nil {
		return
	}
	req.Header.Set(connectionIDHeader, id)
	if resp, err := client.Do(req); err == nil {
		drain(resp)
	}
}

// end marks the connection as over, once, and stops all requests.
func (t *httpTransport) end(why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return
	}
	t.ended = why
	close(t.over)
	t.cancel()
}

// deliver hands one thing to the reader, unless the connection ends first.
func (t *httpTransport) deliver(in inbound) bool {
	select {
	case t.lines <- in:
		return true
	case <-t.over:
		return false
	}
}

// deliverMessage hands a message on as lines.
func (t *httpTransport) deliverMessage(data []byte) bool {
	for _, l := range messageLines(data) {
		if !t.deliver(inbound{line: Line{Bytes: l, EOL: "\n"}}) {
			return false
		}
	}
	return true
}

// undelivered fails one request, or is dropped where nothing waits.
func (t *httpTransport) undelivered(id ID, err error) {
	t.deliver(inbound{err: &UndeliveredError{ID: id, Err: err}})
}

// request makes a request with the user's headers.
func (t *httpTransport) request(ctx context.Context, method string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, t.url, body)
	if err != nil {
		return nil, err
	}
	for k, v := range t.header {
		req.Header[k] = v
	}
	return req, nil
}

// do performs a request and turns anything but success into a *StatusError or
// the network's cause.
func (t *httpTransport) do(req *http.Request) (*http.Response, error) {
	t.mu.Lock()
	client := t.client
	t.mu.Unlock()
	resp, err := client.Do(req)
	if err != nil {
		return nil, networkCause(err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, newStatusError(resp, "")
	}
	return resp, nil
}

// endsConnection reports whether a failed request means that the server no
// longer knows us; everything else concerns that request or session alone.
func endsConnection(err error) bool {
	var se *StatusError
	if !errors.As(err, &se) {
		return true // the network
	}
	switch se.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return true
	}
	return false
}

// broken names the address in a failure that ends the connection.
func (t *httpTransport) broken(err error) error {
	if t.ctx.Err() != nil {
		return io.EOF
	}
	return &BrokenError{Address: t.address, Err: err}
}

// Exit reports nothing: the agent is no process of ours.
func (t *httpTransport) Exit() (Exit, bool) { return Exit{}, false }

// StderrTail is empty: a remote agent's stderr stays where it is.
func (t *httpTransport) StderrTail() []byte { return nil }

// Address is the URL without its password.
func (t *httpTransport) Address() string { return t.address }

// ConnectionID is what the server calls this connection, "" before initialize
// was answered.
func (t *httpTransport) ConnectionID() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.connID
}

// isMediaType reports whether resp carries the given media type.
func isMediaType(resp *http.Response, want string) bool {
	got, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && got == want
}
