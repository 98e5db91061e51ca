package commands

import (
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// clientMethods are the methods of version 1's client that --fs and --terminal
// offer to the agent; nil where neither is given.
func (j *promptJob) clientMethods(c *cli.Context) (acp.ClientMethods, error) {
	if c.String("fs") == "" && !c.Bool("terminal") {
		return nil, nil
	}
	return nil, usagef("", "--fs and --terminal are not built yet")
}
