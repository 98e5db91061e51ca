package wire

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// How much of an error's body is worth keeping.
const statusBodyLimit = 8 << 10

// newHTTPClient makes a client for one connection: no overall timeout, since
// event streams last as long as the session does; cookies kept, since a load
// balancer may route by them; no redirects, since credentials would follow.
func newHTTPClient(o DialOptions, cleartextHTTP2 bool) *http.Client {
	tr := &http.Transport{
		Proxy:             http.ProxyFromEnvironment,
		TLSClientConfig:   o.TLS.Clone(),
		ForceAttemptHTTP2: true,
	}
	if cleartextHTTP2 {
		tr.Protocols = new(http.Protocols)
		tr.Protocols.SetUnencryptedHTTP2(true)
	}
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	return &http.Client{
		Transport:     tr,
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// StatusError is an HTTP response that is no success.
type StatusError struct {
	Status   int
	Location string // where a redirect points
	Body     []byte // at most 8 KiB
	Note     string // what was wanted instead, "" if plain
}

// Error names the status and the first line of what the server said.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("HTTP %d %s", e.Status, http.StatusText(e.Status))
	if e.Note != "" {
		s = e.Note + ": " + s
	}
	if e.Location != "" {
		return s + " to " + e.Location
	}
	if h := head(e.Body); h != "" {
		s += ": " + h
	}
	return s
}

// newStatusError reads what a failed response has to say and ends it.
func newStatusError(resp *http.Response, note string) *StatusError {
	e := &StatusError{Status: resp.StatusCode, Location: resp.Header.Get("Location"), Note: note}
	if resp.Body != nil {
		e.Body, _ = io.ReadAll(io.LimitReader(resp.Body, statusBodyLimit))
		drain(resp)
	}
	return e
}

// NotACPError is an answer that no ACP server would give.
type NotACPError struct {
	Address, Why string
	Head         string // how the answer begins
}

// Error names the address, what is wrong and how the answer begins.
func (e *NotACPError) Error() string {
	s := e.Address + " is no ACP server: it " + e.Why
	if e.Head != "" {
		s += ": " + e.Head
	}
	return s
}

// head is the first line of a text, shortened.
func head(body []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(body), []byte("\n"))
	const most = 120
	s := strings.ToValidUTF8(string(line), "�")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

// drain ends a response whose rest nobody wants.
func drain(resp *http.Response) {
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
}

// networkCause takes the wrapping off a network error: the address is named
// elsewhere, once.
func networkCause(err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return op
	}
	return err
}

// isDialFailure reports whether no connection came about at all.
func isDialFailure(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	return errors.As(err, &dns) || errors.As(err, &cert)
}
