package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// listen serves one connection by each of fs, one after the other.
func listen(t *testing.T, network, name string, fs ...func(net.Conn)) net.Addr {
	t.Helper()
	l, err := net.Listen(network, name)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { // ends when the last of fs does, or when the test does
		defer close(done)
		for _, f := range fs {
			if conn, err := l.Accept(); err == nil {
				f(conn)
				conn.Close()
			}
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr()
}

// shout answers each line in capitals.
func shout(conn net.Conn) {
	lines := NewLineReader(conn, 0)
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return
		}
		io.WriteString(conn, strings.ToUpper(string(line.Bytes))+"\n")
	}
}

func TestDialSockets(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listen(t, "unix", path, shout, shout)
	tcp := listen(t, "tcp", "127.0.0.1:0", shout)
	for _, address := range []string{"unix:" + path, "unix://" + path, "tcp:" + tcp.String()} {
		tr, err := Dial(t.Context(), address, DialOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, msg := range []string{"a", strings.Repeat("b", 1<<20)} {
			wrote := make(chan error, 1)
			go func() { wrote <- tr.WriteMessage([]byte(msg)) }()
			line, err := tr.ReadLine()
			if err != nil || string(line.Bytes) != strings.ToUpper(msg) {
				t.Errorf("%s: read %.20q, %v", address, line.Bytes, err)
			}
			if err := <-wrote; err != nil {
				t.Error(err)
			}
		}
		if tr.Address() != address {
			t.Errorf("address %q", tr.Address())
		}
		if err := tr.Close(context.Background()); err != nil {
			t.Error(err)
		}
		tr.Close(context.Background())
		if _, err := tr.ReadLine(); err != io.EOF {
			t.Errorf("after Close: %v", err)
		}
	}
}

func TestCloseOfASocketFreesReaderAndWriter(t *testing.T) {
	hold := make(chan struct{})
	addr := listen(t, "tcp", "127.0.0.1:0", func(net.Conn) { <-hold })
	tr, err := Dial(t.Context(), "tcp:"+addr.String(), DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	read, wrote := make(chan error, 1), make(chan error, 1)
	go func() { _, err := tr.ReadLine(); read <- err }()
	go func() { // more than the buffers of both sides hold
		for {
			if err := tr.WriteMessage(make([]byte, 8<<20)); err != nil {
				wrote <- err
				return
			}
		}
	}()
	tr.Close(context.Background())
	if err := <-read; err != io.EOF {
		t.Errorf("reader: %v", err)
	}
	if err := <-wrote; err == nil {
		t.Error("the writer did not fail")
	}
	close(hold)
}

func TestDialRefusesAddresses(t *testing.T) {
	for _, address := range []string{"", "unix:", "tcp:", "tcp:host", "tcp://host:1", "unix://x", "ftp://x", "opencode", "ws:x"} {
		_, err := Dial(t.Context(), address, DialOptions{})
		var bad *AddressError
		if !errors.As(err, &bad) || bad.Address != address {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestDialNobodyThere(t *testing.T) {
	address := "unix:" + filepath.Join(t.TempDir(), "absent")
	_, err := Dial(t.Context(), address, DialOptions{})
	var dial *DialError
	if !errors.As(err, &dial) || err.Error() != "cannot connect to "+address+": connect: no such file or directory" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Dial(ctx, address, DialOptions{}); !errors.As(err, &dial) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
