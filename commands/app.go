package commands

import "github.com/urfave/cli/v2"

// commands are the tool's commands in the order in which help lists them. Each
// is made by a method in its own file; its owner adds one line here.
func (e *env) commands() []maker {
	return []maker{
		{"status", e.statusCommand},
		{"auth-status", e.authStatusCommand},
		{"new", e.newCommand},
		{"resume", e.resumeCommand},
		{"prompt", e.promptCommand},
		{"list", e.listCommand},
		{"close", e.closeCommand},
		{"delete", e.deleteCommand},
		{"cancel", e.cancelCommand},
		{"login", e.loginCommand},
		{"logout", e.logoutCommand},
		{"call", e.callCommand},
		{"tap", e.tapCommand},
		{"record", e.recordCommand},
		{"replay", e.replayCommand},
		{"setup", e.setupCommand},
		{"show", e.showCommand},
		{"recordings", e.recordingsCommand},
		{"agents", e.agentsCommand},
		{"completion", e.completionCommand},
		{"__complete", e.completeCommand},
		{"help", e.helpCommand},
	}
}

// maker makes the command of that name, with its flags and texts.
type maker struct {
	name string
	make func() *cli.Command
}

// app is the tree of all commands.
func (e *env) app() *cli.App { return e.appOf(func(string) bool { return true }) }

// appOf is the tree of the commands that are wanted by their names.
func (e *env) appOf(wanted func(name string) bool) *cli.App {
	app := &cli.App{
		Name:  "acptool",
		Usage: "script and debug agents that speak the Agent Client Protocol (ACP)",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help"},
			&cli.BoolFlag{Name: "version", Aliases: []string{"V"}, Usage: "show the version"},
		},
	}
	for _, m := range e.commands() {
		if wanted(m.name) {
			app.Commands = append(app.Commands, m.make())
		}
	}
	return app
}

// read takes the line apart. Nearly every line begins with its command, and then
// no other command is needed to read it: what a tree costs (22 commands, 300
// flags) is more than the rest of reading. The others are asked about flags
// before the command, and where the line is wrong, since they know what was
// meant.
func (e *env) read(args []string) (*cli.App, *line, error) {
	if len(args) > 0 {
		app := e.appOf(func(name string) bool { return name == args[0] })
		if len(app.Commands) > 0 {
			if l, err := parseLine(app, args); err == nil {
				return app, l, nil
			}
		}
	}
	app := e.app()
	l, err := parseLine(app, args)
	return app, l, err
}
