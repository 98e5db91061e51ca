package commands

import "github.com/urfave/cli/v2"

func (e *env) helpCommand() *cli.Command {
	return &cli.Command{Name: "help", Usage: "show help for a command", ArgsUsage: "[COMMAND]",
		Action: func(c *cli.Context) error { return nil }}
}

func (e *env) help(app *cli.App, c *cli.Command) error { return nil }
