package commands

import (
	"errors"

	"github.com/urfave/cli/v2"
)

func (e *env) statusCommand() *cli.Command {
	return &cli.Command{Name: "status", Flags: agentFlags(), Action: func(c *cli.Context) error {
		return errors.New("not built yet")
	}}
}
