package commands

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/acptool/acptool/record/replay"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// replayListen plays at an address: to one client, or with --loop (and the
// demo) to any number, each from the beginning.
func (e *env) replayListen(c *cli.Context, player func(replay.AgentOptions) (*replay.Agent, error), loop bool) error {
	o, err := e.agentOptions(c)
	if err != nil {
		return err
	}
	if _, err := player(o); err != nil { // a mistake is told now, not at the first connection
		return err
	}
	l, err := wire.Listen(c.Context, c.String("listen"), wire.ListenOptions{
		Public: c.Bool("public"), AllowOrigins: c.StringSlice("allow-origin"),
	})
	if err != nil {
		return err
	}
	defer context.AfterFunc(c.Context, func() { _ = l.Close() })()
	defer l.Close()
	// Scripts read the address, which holds the port where 0 was asked for.
	if _, err := io.WriteString(e.out, l.Address()+"\n"); err != nil {
		return err
	}
	var mu sync.Mutex
	var sum replay.Verdict
	var work sync.WaitGroup
	one := func(in *wire.Incoming) {
		defer in.Close()
		o := o
		o.In, o.Out = in.Side.In, in.Side.Out
		a, err := player(o)
		if err == nil {
			stop := context.AfterFunc(c.Context, in.Close)
			_, err = a.Run(c.Context)
			stop()
			mu.Lock()
			sum = sum.Plus(a.Verdict())
			mu.Unlock()
		}
		if err != nil && c.Context.Err() == nil {
			e.say.warn(in.Remote + ": " + err.Error())
		}
	}
	for {
		in, err := l.Accept()
		if err != nil {
			if c.Context.Err() == nil && !errors.Is(err, net.ErrClosed) {
				return ownf(err, "accept a connection")
			}
			break
		}
		if !loop {
			one(in)
			break
		}
		work.Go(func() { one(in) }) // ends with the connection
	}
	work.Wait()
	if err := e.writeVerdict(sum, c.String("report")); err != nil {
		return err
	}
	if cause := context.Cause(c.Context); cause != nil {
		return cause
	}
	if sum.Diverged(c.Bool("complete")) {
		return exitWith(ExitNo)
	}
	return nil
}
