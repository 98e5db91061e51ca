package commands

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// tap --listen gives an agent an address: each connection is a tap of its own,
// with an agent, a log and a recording of its own.

func listenFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "listen", Category: catConnection,
			Usage: "give the agent an `ADDRESS`: unix:PATH, tcp:HOST:PORT or ws://HOST:PORT/PATH"},
		&cli.IntFlag{Name: "max-conns", Category: catConnection, Value: 64, Usage: "with --listen, at most `N` connections at once (64)"},
		&cli.DurationFlag{Name: "idle-timeout", Category: catConnection, Usage: "with --listen, end a connection on which nothing passed for `DURATION`"},
		&cli.BoolFlag{Name: "public", Category: catConnection, Usage: "let --listen take an address that means all interfaces"},
		&cli.StringSliceFlag{Name: "allow-origin", Category: catConnection, KeepSpace: true,
			Usage: "with --listen ws://, let web pages of `HOST` connect (a pattern such as *.example.org)"},
	}
}

// server is one run of tap --listen.
type server struct {
	e    *env
	c    *cli.Context
	idle time.Duration
	max  int

	stop context.Context // ends when no new connection is wanted
	work sync.WaitGroup
	open atomic.Int64
}

// listen serves connections until a signal comes, then lets the ones that are
// open end as a tap ends.
func (e *env) listen(c *cli.Context) error {
	s := &server{e: e, c: c, idle: c.Duration("idle-timeout"), max: c.Int("max-conns")}
	if s.max < 1 {
		return usagef("", "--max-conns takes a number from 1 on")
	}
	// A mistake in the flags is told now, not at the first connection.
	if _, err := e.pass(c); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(c.Context)
	defer end(nil)
	s.stop = ctx
	l, err := wire.Listen(ctx, c.String("listen"), wire.ListenOptions{
		Public: c.Bool("public"), AllowOrigins: c.StringSlice("allow-origin"), MaxFrame: c.Int64("max-frame"),
	})
	if err != nil {
		return passFailure(err)
	}
	signals := make(chan os.Signal, 1)
	for _, sig := range passedSignals() {
		if !signal.Ignored(sig) { // by nohup
			signal.Notify(signals, sig)
		}
	}
	defer signal.Stop(signals)
	closed := make(chan struct{})
	go func() { // ends with ctx
		defer close(closed)
		select {
		case sig := <-signals: // each connection's tap has its own copy
			end(&signalError{sig.(syscall.Signal)})
		case <-ctx.Done(): // which the same signal may have ended
		}
		_ = l.Close()
	}()
	// Scripts read the address, which holds the port where 0 was asked for.
	if _, err := io.WriteString(e.out, l.Address()+"\n"); err != nil {
		end(err)
		<-closed
		return err
	}
	err = s.serve(l)
	end(err)
	<-closed // the socket's file goes before we do
	s.work.Wait()
	var sig *signalError
	if errors.As(context.Cause(ctx), &sig) {
		return exitWith(sig.exit())
	}
	return err
}

// serve accepts connections until the listener is closed.
func (s *server) serve(l *wire.Listener) error {
	for {
		in, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed) || s.stop.Err() != nil:
			if in != nil {
				in.Close()
			}
			return nil
		case err != nil:
			return ownf(err, "accept a connection")
		}
		if int(s.open.Add(1)) > s.max {
			s.open.Add(-1)
			s.e.say.line("warning", "a connection from "+in.Remote+" was refused: --max-conns are open")
			in.Close()
			continue
		}
		s.work.Add(1)
		go func() { // ends with the connection
			defer s.work.Done()
			defer s.open.Add(-1)
			defer in.Close()
			s.connection(in)
		}()
	}
}

// connection taps one connection. How its agent ended concerns its client.
func (s *server) connection(in *wire.Incoming) {
	p, err := s.e.pass(s.c)
	if err == nil {
		p.client = &in.Side
		err = p.watch(s.c)
	}
	if err != nil {
		s.e.say.failure(explain(err))
		return
	}
	if s.idle > 0 {
		timer := time.AfterFunc(s.idle, func() { p.end <- syscall.SIGHUP }) // as for a terminal that hung up
		defer timer.Stop()
		p.observers = append(p.observers, activity{timer, s.idle})
	}
	var end *exitError
	if err := p.run(); err != nil && !(errors.As(err, &end) && end.err == nil) {
		s.e.say.failure(explain(err))
	}
}

// activity puts off the end of an idle connection.
type activity struct {
	timer *time.Timer
	idle  time.Duration
}

// Observe is told of everything that passes.
func (a activity) Observe(x wire.Entry) {
	if x.Kind == wire.EntryLine {
		a.timer.Reset(a.idle)
	}
}

// Dropped says that much passed.
func (a activity) Dropped(int) { a.timer.Reset(a.idle) }

var _ wire.Lossy = activity{}
