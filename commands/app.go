package commands

import "github.com/urfave/cli/v2"

// app is the command tree. Each command is made by a method in its own file;
// its owner adds one line here, in the order in which help lists them.
func (e *env) app() *cli.App {
	return &cli.App{
		Name:  "acptool",
		Usage: "script and debug agents that speak the Agent Client Protocol (ACP)",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help"},
			&cli.BoolFlag{Name: "version", Aliases: []string{"V"}, Usage: "show the version"},
		},
		Commands: []*cli.Command{
			e.statusCommand(),
			e.authStatusCommand(),
			e.newCommand(),
			e.resumeCommand(),
			e.promptCommand(),
			e.listCommand(),
			e.closeCommand(),
			e.deleteCommand(),
			e.cancelCommand(),
			e.loginCommand(),
			e.logoutCommand(),
			e.callCommand(),
			e.tapCommand(),
			e.recordCommand(),
			e.replayCommand(),
			e.setupCommand(),
			e.showCommand(),
			e.recordingsCommand(),
			e.agentsCommand(),
			e.completionCommand(),
			e.completeCommand(),
			e.helpCommand(),
		},
	}
}
