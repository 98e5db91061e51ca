package commands

import (
	"strconv"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// Flag categories, in the order in which help shows them.
const (
	catCommand    = "" // the command's own flags
	catAgent      = "Agent"
	catSession    = "Session"
	catConnection = "Connection"
	catTraffic    = "Traffic"
	catOutput     = "Output"
)

// agentFlags name the agent (design §2). A command that takes one adds
// connectionFlags too.
func agentFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "agent", Aliases: []string{"a"}, Category: catAgent, KeepSpace: true,
			Usage: "the agent: a command line, an address, or `@NAME` (else ACPTOOL_AGENT)"},
		&cli.StringSliceFlag{Name: "connect", Category: catAgent, KeepSpace: true,
			Usage: "an agent that runs already, at `ADDRESS`: unix:PATH, tcp:HOST:PORT, ws://, wss://, http://, https://"},
		&cli.StringSliceFlag{Name: "env", Category: catAgent, KeepSpace: true,
			Usage: "set a variable for the agent's process: `K=V`"},
	}
}

// connectionFlags say how the connection is made and how long it may take.
// timeout is the default of --timeout, 0 for none.
func connectionFlags(timeout time.Duration) []cli.Flag {
	whole := "give the whole command up after `DURATION`"
	if timeout > 0 {
		whole += " (" + shortDuration(timeout) + ")"
	}
	return append([]cli.Flag{
		&cli.DurationFlag{Name: "timeout", Category: catConnection, Value: timeout, Usage: whole},
		&cli.DurationFlag{Name: "init-timeout", Category: catConnection, Value: 30 * time.Second,
			Usage: "wait `DURATION` for the answer to initialize (30s)"},
		&cli.DurationFlag{Name: "idle-timeout", Category: catConnection,
			Usage: "give up when nothing was received for `DURATION`"},
		&cli.StringFlag{Name: "protocol", Category: catConnection, Value: "auto",
			Usage: "protocol `VERSION`: auto, 1 or 2"},
		&cli.StringFlag{Name: "init-params", Category: catConnection,
			Usage: "merge a `JSON` object into the parameters of initialize"},
		&cli.StringFlag{Name: "auth", Category: catConnection,
			Usage: "log in with `METHOD` if the agent asks for it"},
	}, dialFlags()...)
}

// maxFrameFlag is for what reads recordings; connections have it among their own.
func maxFrameFlag() cli.Flag {
	return &cli.Int64Flag{Name: "max-frame", Value: wire.DefaultMaxFrame, Usage: "refuse frames of more than `BYTES` (256 MiB)"}
}

// dialFlags say how an address is connected to.
func dialFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Int64Flag{Name: "max-frame", Category: catConnection, Value: 256 << 20,
			Usage: "refuse frames of more than `BYTES` (256 MiB)"},
		&cli.StringSliceFlag{Name: "header", Aliases: []string{"H"}, Category: catConnection, KeepSpace: true,
			Usage: "send a header when connecting: `'K: V'`"},
		&cli.StringFlag{Name: "bearer-env", Category: catConnection,
			Usage: "send the bearer token that the variable `NAME` holds"},
		&cli.StringFlag{Name: "cacert", Category: catConnection,
			Usage: "trust the certificates in `FILE`"},
		&cli.BoolFlag{Name: "insecure", Aliases: []string{"k"}, Category: catConnection,
			Usage: "do not check the server's certificate"},
	}
}

// trafficFlags show or keep what passes on the connection.
func trafficFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "record", Category: catTraffic, Usage: "keep this run's traffic in `FILE`"},
		&cli.BoolFlag{Name: "force", Category: catTraffic, Usage: "let --record overwrite its file"},
		&cli.BoolFlag{Name: "v", Category: catTraffic, Usage: "show the traffic on stderr, as tap does"},
		&cli.StringFlag{Name: "log", Category: catTraffic, Usage: "write the same into `FILE`"},
		&cli.BoolFlag{Name: "no-redact", Category: catTraffic, Usage: "keep secrets in recordings and logs"},
		&cli.StringFlag{Name: "agent-stderr", Category: catTraffic, Value: "hide",
			Usage: "the agent's stderr: hide, show, or into a `FILE` (hide; its end is shown when the agent fails)"},
	}
}

// shortDuration writes 10s, not 10.0s or 1m0s.
func shortDuration(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return d.String()
}
