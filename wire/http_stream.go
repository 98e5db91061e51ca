package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/tmaxmax/go-sse"
)

// sessionStream is the event stream of one session.
type sessionStream struct {
	ready chan struct{} // closed when the stream is open or has failed
	err   error         // set before ready is closed
}

// openConnectionStream starts the stream that carries what concerns no session.
// Its end is the connection's end.
func (t *httpTransport) openConnectionStream() {
	t.work.Add(1)
	go func() { // ends with the stream or t.ctx
		defer t.work.Done()
		resp, err := t.openStream("")
		if err == nil {
			err = t.readStream(resp, "")
		}
		if err == nil {
			err = errors.New("the agent closed the connection's event stream")
		}
		t.end(t.broken(err))
	}()
}

// waitSessionStream makes sure that a session's stream is open, since the
// answers to a message that concerns the session come over it.
func (t *httpTransport) waitSessionStream(session string) error {
	s := t.sessionStream(session)
	select {
	case <-s.ready:
		return s.err
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

// sessionStream returns the running stream of a session or starts one.
func (t *httpTransport) sessionStream(session string) *sessionStream {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.sessions[session]; s != nil {
		return s
	}
	s := &sessionStream{ready: make(chan struct{})}
	t.sessions[session] = s
	t.work.Add(1)
	go func() { // ends with the stream or t.ctx
		defer t.work.Done()
		t.runSessionStream(session, s)
	}()
	return s
}

// runSessionStream opens and reads one session's stream. Its failure concerns
// that session alone: its requests in flight fail, and the next message for
// the session opens the stream anew.
func (t *httpTransport) runSessionStream(session string, s *sessionStream) {
	resp, err := t.openStream(session)
	s.err = err
	if err != nil {
		t.forget(session)
		close(s.ready)
		return
	}
	close(s.ready)
	if err = t.readStream(resp, session); err == nil {
		err = errors.New("the agent closed the session's event stream")
	}
	for _, id := range t.forget(session) {
		t.undelivered(id, err)
	}
}

// forget drops a session's stream and returns the requests that it would have
// answered.
func (t *httpTransport) forget(session string) []ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sessions, session)
	var lost []ID
	for id, s := range t.pending {
		if s == session {
			lost = append(lost, id)
			delete(t.pending, id)
		}
	}
	return lost
}

// openStream asks for an event stream.
func (t *httpTransport) openStream(session string) (*http.Response, error) {
	req, err := t.request(t.ctx, http.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set(connectionIDHeader, t.ConnectionID())
	if session != "" {
		req.Header.Set(sessionIDHeader, session)
	}
	resp, err := t.do(req)
	if err != nil {
		return nil, err
	}
	if !isMediaType(resp, "text/event-stream") {
		drain(resp)
		return nil, fmt.Errorf("expected an event stream, got %q", resp.Header.Get("Content-Type"))
	}
	return resp, nil
}

// readStream delivers a stream's messages until it ends; nil means an orderly
// end. An event that was cut off is no event.
func (t *httpTransport) readStream(resp *http.Response, session string) error {
	defer drain(resp)
	for event, err := range sse.Read(resp.Body, &sse.ReadConfig{MaxEventSize: int(t.max)}) {
		if err != nil {
			if errors.Is(t.ctx.Err(), context.Canceled) {
				return t.ctx.Err()
			}
			return networkCause(err)
		}
		if event.Data == "" {
			continue
		}
		t.route([]byte(event.Data), session)
		if !t.deliverMessage([]byte(event.Data)) {
			return t.ctx.Err()
		}
	}
	return nil
}

// route remembers what later requests need to know of a message: the session
// of a request that must be answered, a request of ours that is settled, and a
// session that has begun.
func (t *httpTransport) route(data []byte, session string) {
	m, err := Parse(data)
	if err != nil {
		return
	}
	switch m.Kind() {
	case KindRequest:
		if session != "" {
			t.mu.Lock()
			t.asked[m.ID] = session
			t.mu.Unlock()
		}
	case KindResponse:
		t.mu.Lock()
		delete(t.pending, m.ID)
		t.mu.Unlock()
		if id := sessionIn(m.Result); id != "" && session == "" {
			t.sessionStream(id)
		}
	}
}
