package commands

import (
	"errors"

	"github.com/urfave/cli/v2"
)

func (e *env) resumeCommand() *cli.Command {
	return &cli.Command{Name: "resume", Flags: agentFlags(), Action: func(c *cli.Context) error {
		return errors.New("not built yet")
	}}
}
