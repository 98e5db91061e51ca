package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// dialWS connects to a server that runs serve on its side of the connection.
func dialWS(t *testing.T, o DialOptions, serve func(context.Context, *websocket.Conn)) Transport {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Acp-Connection-Id", "c9")
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer c.CloseNow()
		serve(r.Context(), c)
	}))
	tr, err := Dial(context.Background(), "ws"+strings.TrimPrefix(srv.URL, "http")+"/acp", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close(context.Background()); srv.Close() })
	return tr
}

func TestWebSocketCarriesMessagesBothWays(t *testing.T) {
	tr := dialWS(t, DialOptions{}, func(ctx context.Context, c *websocket.Conn) {
		typ, msg, err := c.Read(ctx)
		if err != nil || typ != websocket.MessageText {
			t.Errorf("read %v, %v", typ, err)
		}
		_ = c.Write(ctx, websocket.MessageText, msg)
		_ = c.Write(ctx, websocket.MessageText, []byte("{\"a\":\r\n\"\\n\"}"))
		_ = c.Write(ctx, websocket.MessageText, []byte("no\njson"))
		_ = c.Close(websocket.StatusNormalClosure, "")
	})
	write(t, tr, `{"jsonrpc":"2.0","method":"x","params":{"n":1.50}}`)
	wantLine(t, tr, `{"jsonrpc":"2.0","method":"x","params":{"n":1.50}}`)
	wantLine(t, tr, `{"a":  "\n"}`) // newlines between tokens became spaces
	wantLine(t, tr, "no")
	wantLine(t, tr, "json")
	if _, err := tr.ReadLine(); err != io.EOF {
		t.Errorf("after the closing handshake: %v, want EOF", err)
	}
	if id := tr.(interface{ ConnectionID() string }).ConnectionID(); id != "c9" {
		t.Errorf("connection id %q", id)
	}
}

func TestWebSocketBrokenOff(t *testing.T) {
	for name, serve := range map[string]func(context.Context, *websocket.Conn){
		"cut":                  func(_ context.Context, c *websocket.Conn) { _ = c.CloseNow() },
		"closed with an error": func(_ context.Context, c *websocket.Conn) { _ = c.Close(websocket.StatusInternalError, "boom") },
	} {
		t.Run(name, func(t *testing.T) {
			tr := dialWS(t, DialOptions{}, serve)
			var be *BrokenError
			if _, err := tr.ReadLine(); !errors.As(err, &be) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestWebSocketMessageBeyondTheLimit(t *testing.T) {
	tr := dialWS(t, DialOptions{MaxFrame: 1 << 10}, func(ctx context.Context, c *websocket.Conn) {
		_ = c.Write(ctx, websocket.MessageText, make([]byte, 1<<12))
		_, _, _ = c.Read(ctx)
	})
	var fe *FrameTooLongError
	if _, err := tr.ReadLine(); !errors.As(err, &fe) || fe.Limit != 1<<10 {
		t.Fatalf("got %v", err)
	}
}

func TestWebSocketRefused(t *testing.T) {
	for want, h := range map[string]http.HandlerFunc{
		"not a WebSocket: HTTP 404 Not Found: no such page": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such page", 404) },
		"not a WebSocket: HTTP 200 OK: <html>":              func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"not a WebSocket: HTTP 401 Unauthorized":            func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) },
	} {
		srv := httptest.NewServer(h)
		_, err := Dial(context.Background(), "ws"+strings.TrimPrefix(srv.URL, "http"), DialOptions{})
		srv.Close()
		var de *DialError
		if !errors.As(err, &de) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestWebSocketTLSFailureNamesTheCause(t *testing.T) {
	srv := httptest.NewTLSServer(http.NotFoundHandler())
	defer srv.Close()
	srv.Config.ErrorLog = nil
	_, err := Dial(context.Background(), "wss"+strings.TrimPrefix(srv.URL, "https"), DialOptions{})
	var de *DialError
	if !errors.As(err, &de) || !strings.Contains(err.Error(), "certificate") {
		t.Fatalf("got %v", err)
	}
}

func TestWebAddresses(t *testing.T) {
	for _, a := range []string{"ws:", "http:///path", "https://", "ws://a b/"} {
		var ae *AddressError
		if _, err := Dial(context.Background(), a, DialOptions{}); !errors.As(err, &ae) {
			t.Errorf("%s: %v", a, err)
		}
	}
}
