package acp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/acptool/acptool/wire"
)

// Dial makes one connection to the agent. It is called once more where an
// agent refuses the offer of version 2 and needs a fresh connection.
type Dial func(context.Context) (wire.Transport, error)

// Options say how a client behaves. The zero value of each member is usable.
type Options struct {
	Protocol   Choice
	Info       Implementation  // ours
	InitParams json.RawMessage // an object merged into initialize's params

	InitTimeout time.Duration // connecting and initialize; 0: none
	IdleTimeout time.Duration // nothing received while waiting; 0: none
	Drain       time.Duration // silence that ends the wait for late updates; 0: no wait

	Auth       string // method to log in with after -32000, "" never
	Permission Policy
	Methods    ClientMethods // fs/* and terminal/* to serve, nil none

	Observers []wire.Observer
	Noise     func(line []byte) // a line that is no JSON-RPC message
	Events    Events
}

// ClientMethods serves requests of the agent that the client advertised.
type ClientMethods interface {
	// Advertise gives the members of clientCapabilities that the methods need
	// (version 1), such as {"fs":{"readTextFile":true},"terminal":true}, and
	// the names of the methods.
	Advertise() (capabilities map[string]any, methods []string)
	// Serve answers one request, on a goroutine of its own. ctx ends when the
	// agent cancels the request or the connection closes. A *wire.RPCError is
	// passed on as it is.
	Serve(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// When says where in a session's life an update came.
type When uint8

const (
	Between When = iota // no turn was running: after setup, between turns
	Early               // before the session's id was known
	History             // while a session was being taken up
	InTurn              // during a turn of ours
	Late                // after the turn's end
)

// Update is one session/update as it came.
type Update struct {
	SessionID string
	Update    json.RawMessage // params.update
	Params    json.RawMessage
	When      When
}

// Events are told, in the order of the wire, by one goroutine at a time.
// A nil member is not told.
type Events struct {
	Update            func(Update)
	Notification      func(wire.Message) // other than session/update
	PermissionAsked   func(PermissionRequest)
	PermissionOutcome func(PermissionRequest, Outcome)
	Request           func(wire.Message, error) // any other request of the agent, and the error it was answered with
	Cancel            func(sessionID string)    // session/cancel was sent
	Warn              func(string)              // for people
}

// Client is a connection to an agent after initialize.
type Client struct {
	peer Peer
}

var errNotBuilt = errors.New("not built yet")

// Connect dials, negotiates the version and returns a client to use.
//
// Errors: *UnreachableError, *VersionError, *ProtocolError, *TimeoutError,
// *GoneError, *AgentError.
func Connect(ctx context.Context, dial Dial, o Options) (*Client, error) { return nil, errNotBuilt }

// WithTimeout gives a context that ends after d with a *TimeoutError as its
// cause; the client's methods return it with the phase filled in. d of 0 is no
// limit.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, d, &TimeoutError{After: d})
}

// Peer is the agent.
func (c *Client) Peer() Peer { return c.peer }

// Setup is what a session is created or taken up with. All paths are absolute.
type Setup struct {
	Cwd     string
	AddDirs []string
	MCP     []MCPServer
}

// Session is a session that this connection created or took up.
type Session struct {
	ID     string
	Result json.RawMessage // the agent's answer as it came
}

// Status asks session/status and nothing else. An unknown session is an
// *UnknownSessionError.
func (c *Client) Status(ctx context.Context, sessionID string) (SessionStatus, error) {
	return SessionStatus{}, errNotBuilt
}

// AuthStatus asks auth/status.
func (c *Client) AuthStatus(ctx context.Context) (AuthStatus, error) {
	return AuthStatus{}, errNotBuilt
}

// ProbeResult is what trying session/new told of the authentication. That a
// session could be created proves nothing (auth-status RFD, "Unreliable
// detection").
type ProbeResult struct {
	AuthRequired *AuthRequiredError // session/new was answered -32000
	SessionID    string             // the session that was created, "" if none
	Closed       bool               // and closed again
}

// Probe tries session/new and closes that session if the agent can. It never
// logs in.
func (c *Client) Probe(ctx context.Context, s Setup) (ProbeResult, error) {
	return ProbeResult{}, errNotBuilt
}

// Authenticate logs in with a method of the agent's; it is called only when
// the user asked for it.
func (c *Client) Authenticate(ctx context.Context, methodID string) error { return errNotBuilt }

// Logout logs out.
func (c *Client) Logout(ctx context.Context) error { return errNotBuilt }

// NewSession creates a session.
func (c *Client) NewSession(ctx context.Context, s Setup) (*Session, error) { return nil, errNotBuilt }

// Resume takes a session up on this connection: session/resume, or session/load
// in version 1 where the agent has that alone. replay asks for its history,
// which comes as updates marked History before Resume returns. Without it,
// history that comes all the same is marked so too.
func (c *Client) Resume(ctx context.Context, sessionID string, s Setup, replay bool) (*Session, error) {
	return nil, errNotBuilt
}

// TurnResult is how a turn ended.
type TurnResult struct {
	SessionID  string          `json:"sessionId"`
	StopReason string          `json:"stopReason"` // as it came; "" if none was given
	MessageID  string          `json:"-"`          // v2: of the inserted prompt
	Usage      json.RawMessage `json:"usage,omitempty"`
	Error      *AgentError     `json:"-"` // the error object of an idle with reason "error"
	Ended      bool            `json:"-"` // the agent said so
}

// Prompt sends one prompt and follows its turn to the end, late updates
// included. When ctx ends first, session/cancel is sent and the confirmed end
// awaited for up to 5 s; the result then holds what is known, and the error is
// ctx's cause. A lost answer is an *UncertainError; nothing is sent twice.
func (c *Client) Prompt(ctx context.Context, s *Session, blocks []json.RawMessage) (TurnResult, error) {
	return TurnResult{}, errNotBuilt
}

// Cancel sends session/cancel for a session and answers its pending permission
// requests, and those still to come in this turn, as cancelled.
func (c *Client) Cancel(sessionID string) error { return errNotBuilt }

// CloseSession ends a session at the agent.
func (c *Client) CloseSession(ctx context.Context, sessionID string) (json.RawMessage, error) {
	return nil, errNotBuilt
}

// Delete removes a stored session.
func (c *Client) Delete(ctx context.Context, sessionID string) (json.RawMessage, error) {
	return nil, errNotBuilt
}

// ListFilter narrows session/list.
type ListFilter struct {
	Cwd string // "" all
}

// List gives every session the agent lists, page after page; each is an entry
// as it came.
func (c *Client) List(ctx context.Context, f ListFilter, each func(session json.RawMessage) error) error {
	return errNotBuilt
}

// SetMode, SetModel and SetConfig change a session by whatever the version and
// the agent offer; *UnsupportedError where nothing does.
func (c *Client) SetMode(ctx context.Context, s *Session, mode string) error   { return errNotBuilt }
func (c *Client) SetModel(ctx context.Context, s *Session, model string) error { return errNotBuilt }
func (c *Client) SetConfig(ctx context.Context, s *Session, id, value string) error {
	return errNotBuilt
}

// Call sends any request. Unless unadvertised, a method that the agent does
// not offer is an *UnsupportedError and not sent.
func (c *Client) Call(ctx context.Context, method string, params json.RawMessage, unadvertised bool) (json.RawMessage, error) {
	return nil, errNotBuilt
}

// Notify sends any notification.
func (c *Client) Notify(method string, params json.RawMessage, unadvertised bool) error {
	return errNotBuilt
}

// Done is closed when the connection has ended.
func (c *Client) Done() <-chan struct{} { return nil }

// Close ends the connection in order; ctx's end hurries.
func (c *Client) Close(ctx context.Context) error { return nil }
