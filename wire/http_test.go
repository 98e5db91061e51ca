package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// faultServer is a Streamable HTTP server of the test's making: what the
// official server never does (errors, cuts, HTML) is set per path of events.
type faultServer struct {
	mu       sync.Mutex
	streams  map[string]chan string // events to send, by session ("" is the connection's)
	requests []string               // METHOD session body, in order
	cookies  []string
	post     func(w http.ResponseWriter, body string) bool // answers itself if true
	deleted  chan struct{}
}

func newFaultServer() *faultServer {
	return &faultServer{streams: map[string]chan string{}, deleted: make(chan struct{}, 1)}
}

func (s *faultServer) stream(session string) chan string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams[session] == nil {
		s.streams[session] = make(chan string, 16)
	}
	return s.streams[session]
}

func (s *faultServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	session := r.Header.Get("Acp-Session-Id")
	s.mu.Lock()
	s.requests = append(s.requests, strings.TrimSpace(r.Method+" "+session+" "+string(body)))
	s.cookies = append(s.cookies, r.Header.Get("Cookie"))
	s.mu.Unlock()
	switch {
	case s.post != nil && r.Method == http.MethodPost && s.post(w, string(body)):
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusAccepted)
		s.deleted <- struct{}{}
	case r.Method == http.MethodPost && strings.Contains(string(body), `"initialize"`):
		http.SetCookie(w, &http.Cookie{Name: "route", Value: "7"})
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Acp-Connection-Id", "c1")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":0,"result":{}}`)
	case r.Method == http.MethodPost:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for {
			select {
			case <-r.Context().Done():
				return
			case e, open := <-s.stream(session):
				if !open {
					return
				}
				fmt.Fprint(w, e)
				w.(http.Flusher).Flush()
			}
		}
	}
}

func (s *faultServer) log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// dialFault connects to a server and sends initialize.
func dialFault(t *testing.T, h http.Handler, o DialOptions) Transport {
	t.Helper()
	srv := httptest.NewServer(h)
	tr, err := Dial(context.Background(), srv.URL+"/acp", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close(context.Background()); srv.Close() })
	write(t, tr, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	return tr
}

func write(t *testing.T, tr Transport, msg string) {
	t.Helper()
	if err := tr.WriteMessage([]byte(msg)); err != nil {
		t.Fatal(err)
	}
}

func wantLine(t *testing.T, tr Transport, want string) {
	t.Helper()
	l, err := tr.ReadLine()
	if err != nil || string(l.Bytes) != want {
		t.Fatalf("got %q, %v; want %q", l.Bytes, err, want)
	}
}

const initAnswer = `{"jsonrpc":"2.0","id":0,"result":{}}`

func event(data string) string { return "data: " + data + "\n\n" }

func TestHTTPCarriesAConversation(t *testing.T) {
	s := newFaultServer()
	tr := dialFault(t, s, DialOptions{Header: http.Header{"Authorization": {"Bearer x"}}})
	wantLine(t, tr, initAnswer)
	write(t, tr, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}`)
	s.stream("") <- event(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
	wantLine(t, tr, `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)
	write(t, tr, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	s.stream("s") <- event("{\"jsonrpc\":\"2.0\",\ndata:  \"id\":0,\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"s\"}}")
	wantLine(t, tr, `{"jsonrpc":"2.0",  "id":0,"method":"session/request_permission","params":{"sessionId":"s"}}`)
	write(t, tr, `{"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"cancelled"}}}`)
	s.stream("s") <- event(`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`)
	wantLine(t, tr, `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`)
	if err := tr.(*httpTransport).Flush(t.Context()); err != nil {
		t.Error(err)
	}
	if err := tr.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-s.deleted
	if _, err := tr.ReadLine(); err != io.EOF {
		t.Errorf("after Close: %v, want EOF", err)
	}
	log := strings.Join(s.log(), "\n")
	for _, want := range []string{
		`POST s {"jsonrpc":"2.0","id":2,`,         // the prompt names its session
		`POST s {"jsonrpc":"2.0","id":0,"result"`, // and so does the answer to the agent's request
		"GET s", "DELETE",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	if s.cookies[len(s.cookies)-1] != "route=7" {
		t.Errorf("the affinity cookie was not kept: %q", s.cookies)
	}
}

func TestHTTPFailureOfOneRequest(t *testing.T) {
	for _, status := range []int{400, 409, 429, 502} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := newFaultServer()
			s.post = func(w http.ResponseWriter, body string) bool {
				if strings.Contains(body, `"bad"`) {
					http.Error(w, "upstream is away", status)
					return true
				}
				return false
			}
			tr := dialFault(t, s, DialOptions{})
			wantLine(t, tr, initAnswer)
			write(t, tr, `{"jsonrpc":"2.0","id":5,"method":"bad"}`)
			var ue *UndeliveredError
			var se *StatusError
			if _, err := tr.ReadLine(); !errors.As(err, &ue) || ue.ID != "5" || !errors.As(err, &se) || se.Status != status {
				t.Fatalf("got %v", err)
			}
			s.stream("") <- event(`{"jsonrpc":"2.0","method":"still/alive"}`)
			wantLine(t, tr, `{"jsonrpc":"2.0","method":"still/alive"}`)
		})
	}
}

func TestHTTPStatusThatEndsTheConnection(t *testing.T) {
	for _, status := range []int{401, 403, 404, 410} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := newFaultServer()
			s.post = func(w http.ResponseWriter, body string) bool {
				if strings.Contains(body, `"bad"`) {
					w.WriteHeader(status)
					return true
				}
				return false
			}
			tr := dialFault(t, s, DialOptions{})
			wantLine(t, tr, initAnswer)
			write(t, tr, `{"jsonrpc":"2.0","id":5,"method":"bad"}`)
			var be *BrokenError
			if _, err := tr.ReadLine(); !errors.As(err, &be) || !strings.Contains(err.Error(), fmt.Sprint(status)) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestHTTPInitializeAnsweredByNoACPServer(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"HTML": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<html><body>hello")
		},
		"no connection id": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, initAnswer)
		},
	} {
		t.Run(name, func(t *testing.T) {
			tr := dialFault(t, answer, DialOptions{})
			var na *NotACPError
			if _, err := tr.ReadLine(); !errors.As(err, &na) || na.Head == "" {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestHTTPWrongPathProxyAndRedirect(t *testing.T) {
	for want, answer := range map[string]http.HandlerFunc{
		"HTTP 404 Not Found: no such page": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such page", 404) },
		"HTTP 502 Bad Gateway":             func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(502) },
		"HTTP 307 Temporary Redirect to https://elsewhere/": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere/", http.StatusTemporaryRedirect)
		},
	} {
		tr := dialFault(t, answer, DialOptions{})
		var de *DialError
		if _, err := tr.ReadLine(); !errors.As(err, &de) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "http://127.0.0.1:") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestHTTPCutEventIsNoEvent(t *testing.T) {
	s := newFaultServer()
	tr := dialFault(t, s, DialOptions{})
	wantLine(t, tr, initAnswer)
	c := s.stream("")
	c <- event(`{"jsonrpc":"2.0","method":"whole"}`)
	wantLine(t, tr, `{"jsonrpc":"2.0","method":"whole"}`)
	c <- `data: {"jsonrpc":"2.0","meth`
	close(c)
	var be *BrokenError
	if l, err := tr.ReadLine(); !errors.As(err, &be) {
		t.Fatalf("got %q, %v", l.Bytes, err)
	}
}

func TestHTTPSessionStreamEndFailsItsRequestsOnly(t *testing.T) {
	s := newFaultServer()
	posted := make(chan struct{}, 4)
	s.post = func(_ http.ResponseWriter, body string) bool {
		if strings.Contains(body, "session/prompt") {
			posted <- struct{}{}
		}
		return false
	}
	tr := dialFault(t, s, DialOptions{})
	wantLine(t, tr, initAnswer)
	write(t, tr, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	<-posted
	close(s.stream("s"))
	var ue *UndeliveredError
	if _, err := tr.ReadLine(); !errors.As(err, &ue) || ue.ID != "2" {
		t.Fatalf("got %v", err)
	}
	s.mu.Lock()
	delete(s.streams, "s")
	s.mu.Unlock()
	write(t, tr, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	s.stream("s") <- event(`{"jsonrpc":"2.0","id":3,"result":{}}`)
	wantLine(t, tr, `{"jsonrpc":"2.0","id":3,"result":{}}`)
}

func TestHTTPFrameBeyondTheLimit(t *testing.T) {
	s := newFaultServer()
	tr := dialFault(t, s, DialOptions{MaxFrame: 1 << 16})
	wantLine(t, tr, initAnswer)
	s.stream("") <- event(`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 1<<17) + `"}`)
	var be *BrokenError
	if _, err := tr.ReadLine(); !errors.As(err, &be) {
		t.Fatalf("got %v", err)
	}
}

func TestHTTPCleartextHTTP2Only(t *testing.T) {
	s := newFaultServer()
	srv := httptest.NewUnstartedServer(s)
	srv.Config.Protocols = new(http.Protocols)
	srv.Config.Protocols.SetUnencryptedHTTP2(true)
	srv.Start()
	defer srv.Close()
	tr, err := Dial(context.Background(), srv.URL, DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close(context.Background())
	write(t, tr, `{"jsonrpc":"2.0","id":0,"method":"initialize"}`)
	wantLine(t, tr, initAnswer)
	s.stream("") <- event(`{"jsonrpc":"2.0","method":"over/h2c"}`)
	wantLine(t, tr, `{"jsonrpc":"2.0","method":"over/h2c"}`)
}

func TestHTTPNobodyThere(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	address := srv.URL
	srv.Close()
	tr, err := Dial(context.Background(), address, DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close(context.Background())
	write(t, tr, `{"jsonrpc":"2.0","id":0,"method":"initialize"}`)
	var de *DialError
	if _, err := tr.ReadLine(); !errors.As(err, &de) || !strings.Contains(err.Error(), "refused") {
		t.Fatalf("got %v", err)
	}
}

func TestHTTPSlowHeadersDoNotHoldClose(t *testing.T) {
	reached, free := make(chan struct{}), make(chan struct{})
	tr := dialFault(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(reached); <-free }), DialOptions{})
	defer close(free)
	<-reached
	if err := tr.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.ReadLine(); err != io.EOF {
		t.Errorf("got %v, want EOF", err)
	}
}
