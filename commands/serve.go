package commands

import (
	"github.com/acptool/acptool/wire/acp/host"
	"github.com/urfave/cli/v2"
)

// clientMethods reads --fs and --terminal: the methods of version 1's client
// that are offered to the agent. nil where neither is given. What is returned
// must be closed after the connection.
func (j *promptJob) clientMethods(c *cli.Context) (*host.Host, error) {
	o := host.Options{Roots: append([]string{j.setup.Cwd}, j.setup.AddDirs...), Terminals: c.Bool("terminal")}
	switch fs := c.String("fs"); fs {
	case "":
	case "read":
		o.Read = true
	case "write":
		o.Read, o.Write = true, true
	default:
		return nil, usagef("read serves reading, write serves both", "--fs is read or write, not %q", fs)
	}
	if !o.Read && !o.Terminals {
		return nil, nil
	}
	h, err := host.New(o)
	if err != nil {
		return nil, ownf(err, "open the session's directories")
	}
	return h, nil
}
