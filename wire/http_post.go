package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// poster sends the client's messages, one POST after the other, so that they
// reach the agent in the order in which they were written.
func (t *httpTransport) poster(o DialOptions) {
	defer t.work.Done()
	for {
		select {
		case <-t.ctx.Done():
			return
		case p := <-t.posts:
			switch {
			case p.mark != nil:
				close(p.mark)
			case t.ConnectionID() == "":
				t.postInitialize(p.msg, o)
			default:
				t.post(p.msg)
			}
		}
	}
}

// postInitialize sends the first message. A cleartext server that speaks only
// HTTP/2 answers HTTP/1.1 with nothing that is HTTP, so the request is made
// once more with prior knowledge of HTTP/2 (Go's one transport cannot do both).
func (t *httpTransport) postInitialize(msg []byte, o DialOptions) {
	resp, err := t.postOnce(msg, "", "")
	var se *StatusError
	if err != nil && !errors.As(err, &se) && retryWithHTTP2(t.ctx, t.url, err) {
		first := err
		t.mu.Lock()
		h1 := t.client
		t.client = newHTTPClient(o, true)
		t.client.Jar = h1.Jar
		t.mu.Unlock()
		h1.CloseIdleConnections()
		if resp, err = t.postOnce(msg, "", ""); err != nil && !errors.As(err, &se) {
			err = first
		}
	}
	if err != nil {
		t.end(&DialError{Address: t.address, Err: err})
		return
	}
	body, err := t.readBody(resp)
	if err != nil {
		t.end(t.broken(err))
		return
	}
	id := resp.Header.Get(connectionIDHeader)
	if !isMediaType(resp, "application/json") || id == "" {
		t.end(&NotACPError{Address: t.address, Why: notACP(resp, id), Head: head(body)})
		return
	}
	t.mu.Lock()
	t.connID = id
	t.mu.Unlock()
	t.openConnectionStream()
	t.deliverMessage(body)
}

// notACP says what is missing in the answer to initialize.
func notACP(resp *http.Response, id string) string {
	if !isMediaType(resp, "application/json") {
		return fmt.Sprintf("answered initialize with %q, not application/json", resp.Header.Get("Content-Type"))
	}
	return "answered initialize without " + connectionIDHeader
}

// post sends a message on the established connection.
func (t *httpTransport) post(msg []byte) {
	m, _ := Parse(msg)
	session := t.sessionOf(m)
	if session != "" {
		if err := t.waitSessionStream(session); err != nil {
			t.failPost(m, err)
			return
		}
	}
	if session != "" && m.Kind() == KindRequest {
		t.mu.Lock()
		t.pending[m.ID] = session
		t.mu.Unlock()
	}
	resp, err := t.postOnce(msg, t.ConnectionID(), session)
	if err != nil {
		t.failPost(m, err)
		return
	}
	// 202 and no body is the rule; a server that answers at once is understood.
	body, err := t.readBody(resp)
	if err == nil && len(bytes.TrimSpace(body)) > 0 && isMediaType(resp, "application/json") {
		t.deliverMessage(body)
	}
}

// sessionOf tells which session a message concerns: the one in its params, or
// the one whose stream brought the request that it answers.
func (t *httpTransport) sessionOf(m Message) string {
	if m.Method != "" {
		return sessionIn(m.Params)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.asked[m.ID]
	delete(t.asked, m.ID)
	return s
}

// sessionIn returns the sessionId member of an object, "" if there is none.
func sessionIn(object json.RawMessage) string {
	var v struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(object, &v) != nil {
		return ""
	}
	return v.SessionID
}

// failPost passes on what became of a message that could not be delivered: a
// request fails alone, unless the whole connection is gone.
func (t *httpTransport) failPost(m Message, err error) {
	if endsConnection(err) {
		t.end(t.broken(err))
		return
	}
	if m.Kind() != KindRequest {
		return // nobody waits; its session's requests fail on their own
	}
	t.mu.Lock()
	delete(t.pending, m.ID)
	t.mu.Unlock()
	t.undelivered(m.ID, err)
}

// postOnce makes one POST and returns its successful response.
func (t *httpTransport) postOnce(msg []byte, connection, session string) (*http.Response, error) {
	req, err := t.request(t.ctx, http.MethodPost, bytes.NewReader(msg))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if connection != "" {
		req.Header.Set(connectionIDHeader, connection)
	}
	if session != "" {
		req.Header.Set(sessionIDHeader, session)
	}
	return t.do(req)
}

// readBody reads a response within the frame limit.
func (t *httpTransport) readBody(resp *http.Response) ([]byte, error) {
	defer drain(resp)
	body, err := io.ReadAll(io.LimitReader(resp.Body, t.max+1))
	if err != nil {
		return nil, networkCause(err)
	}
	if int64(len(body)) > t.max {
		return nil, &FrameTooLongError{Limit: t.max}
	}
	return body, nil
}

// retryWithHTTP2 reports whether a first request over http:// failed in the
// way in which an HTTP/2-only server refuses HTTP/1.1: connected, but no
// response that is one.
func retryWithHTTP2(ctx context.Context, url string, err error) bool {
	if ctx.Err() != nil || !strings.HasPrefix(url, "http://") {
		return false
	}
	var slow interface{ Timeout() bool }
	if errors.As(err, &slow) && slow.Timeout() {
		return false
	}
	return !isDialFailure(err)
}
