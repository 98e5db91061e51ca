package acp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
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
	InitParams json.RawMessage // a JSON merge patch on initialize's params

	InitTimeout time.Duration // connecting and initialize together; 0: none
	IdleTimeout time.Duration // nothing received while something is waited for; 0: none
	Drain       time.Duration // silence that ends the wait for late updates; 0: no wait

	Auth       string // method to log in with after -32000; "": never
	Permission Policy
	Methods    ClientMethods // fs/* and terminal/* to serve; nil: none

	Observers []wire.Observer
	Noise     func(line []byte) // a line that is no JSON-RPC message
	Events    Events
}

// ClientMethods serves requests of the agent that the client advertised.
// Version 2 has no such methods; there they are never served.
type ClientMethods interface {
	// Advertise gives the members of clientCapabilities that the methods need,
	// such as {"fs":{"readTextFile":true},"terminal":true}, and the methods'
	// names.
	Advertise() (capabilities map[string]any, methods []string)
	// Serve answers one request, on a goroutine of its own. ctx ends when the
	// agent cancels the request or the connection closes. A *wire.RPCError is
	// passed on as it is, any other error as an internal one.
	Serve(ctx context.Context, method string, params json.RawMessage) (any, error)
}

// Events are told in the order of the wire, one at a time. A nil member is not
// told. They run on the goroutine that reads from the agent: while one runs
// nothing else is read, and it must not call the client or a session.
type Events struct {
	Update            func(Update)
	Notification      func(wire.Message) // any other than session/update
	PermissionAsked   func(PermissionRequest)
	PermissionOutcome func(PermissionRequest, Outcome)
	Request           func(wire.Message, error) // any other request of the agent, and the error it was answered with
	Warn              func(text string)         // a breach that does no harm; not in order with the others
}

// Client is a connection to an agent after initialize.
type Client struct {
	o    Options
	conn *wire.Conn
	peer Peer

	// order is held while a session changes or an event is told, so that there
	// is one order of events.
	order     sync.Mutex
	sessions  map[string]*Session
	settingUp int    // requests in flight that will name a new session
	held      []held // what came meanwhile for sessions that are not known

	// mu guards what must stay reachable while an event is told.
	mu        sync.Mutex
	asked     []*asking       // permission requests that are not answered
	settled   time.Time       // when the latest of them was answered
	cancelled map[string]bool // sessions whose turn was cancelled

	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup // goroutines that answer requests of the agent
}

// Connect dials, negotiates the version and returns a client to use.
//
// Errors: *UsageError, *UnreachableError, *VersionError, *ProtocolError,
// *TimeoutError, *GoneError, *AgentError.
func Connect(ctx context.Context, dial Dial, o Options) (*Client, error) {
	ctx, cancel := WithTimeout(ctx, o.InitTimeout)
	defer cancel()
	start := time.Now()
	c, err := connect(ctx, dial, o, o.Protocol, start)
	var refused *AgentError
	if !errors.As(err, &refused) {
		return c, err
	}
	supported := versionsOf(refused.Data)
	if refused.Code == CodeUnsupportedVersion && (o.Protocol != Auto || len(supported) > 0 && !slices.Contains(supported, int(V1))) {
		return nil, &VersionError{Ours: o.Protocol.offered(), Theirs: supported}
	}
	if o.Protocol != Auto || asObject(o.InitParams)["protocolVersion"] != nil {
		return nil, err
	}
	// "An agent that answers the version-2 offer with an error gets one retry
	// on a fresh connection with version 1."
	c, err = connect(ctx, dial, o, Only1, start)
	var v *VersionError
	if errors.As(err, &v) {
		v.Ours = Auto.offered()
	}
	if errors.As(err, &refused) && refused.Code == CodeUnsupportedVersion {
		return nil, &VersionError{Ours: Auto.offered(), Theirs: versionsOf(refused.Data)}
	}
	return c, err
}

// connect is one attempt.
func connect(ctx context.Context, dial Dial, o Options, choice Choice, start time.Time) (*Client, error) {
	params, err := InitializeParams(choice, o.Info, o.Methods, o.InitParams)
	if err != nil {
		return nil, err
	}
	t, err := dial(ctx)
	if err != nil {
		var usage *UsageError
		switch {
		case ctx.Err() != nil:
			return nil, ended(ctx, "connect")
		case errors.As(err, &usage):
			return nil, err
		}
		return nil, &UnreachableError{err}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &Client{o: o, sessions: map[string]*Session{}, cancelled: map[string]bool{}}
	c.life, c.end = context.WithCancel(context.Background())
	c.conn = wire.NewConn(t, wire.ConnOptions{
		Handler:   handler{c},
		Observers: o.Observers,
		Warn:      c.warn,
		Start:     start,
		Noise: func(line []byte) {
			if isLanguageServer(line) {
				stop(languageServerError(line))
			}
			if o.Noise != nil {
				o.Noise(line)
			}
		},
	})
	_, err = c.send(ctx, "initialize", "", params, func(result json.RawMessage) error {
		p, err := decodeInitialize(choice, result, c.warn)
		if err == nil {
			c.order.Lock()
			c.peer = p
			c.order.Unlock()
		}
		return err
	})
	if err != nil {
		// Not for long: an agent that said nothing so far need not be waited
		// for as one that has work to put away.
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		_ = c.Close(closing)
		return nil, err
	}
	return c, nil
}

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

// Conn is the connection beneath.
func (c *Client) Conn() *wire.Conn { return c.conn }

// Done is closed when nothing more will come from the agent.
func (c *Client) Done() <-chan struct{} { return c.conn.Done() }

// Close answers what the agent still waits for, ends the connection in order
// and waits until all that belongs to it has ended. ctx's end hurries it.
func (c *Client) Close(ctx context.Context) error {
	c.end()
	c.cancelAsked(func(*asking) bool { return true })
	err := c.conn.Close(ctx)
	c.work.Wait()
	return err
}

func (c *Client) warn(text string) {
	if c.o.Events.Warn != nil {
		c.o.Events.Warn(text)
	}
}
