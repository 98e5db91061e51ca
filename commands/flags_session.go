package commands

import "github.com/urfave/cli/v2"

// setupFlags are for commands that create or take up a session: where it
// works and what it is given.
func setupFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "cwd", Aliases: []string{"C"}, Category: catSession, Usage: "the session's directory `DIR` (ours)"},
		&cli.StringSliceFlag{Name: "add-dir", Category: catSession, KeepSpace: true, Usage: "another directory `DIR` of the session"},
		&cli.StringFlag{Name: "mcp-config", Category: catSession, Usage: "MCP servers for the session, from a JSON `FILE`"},
		&cli.StringFlag{Name: "model", Category: catSession, Usage: "set the model `ID`"},
		&cli.StringFlag{Name: "mode", Category: catSession, Usage: "set the mode `ID`"},
		&cli.StringSliceFlag{Name: "config", Category: catSession, KeepSpace: true, Usage: "set a session option: `ID=VALUE`"},
	}
}

// serveFlags say what of the client's own methods the agent may use.
func serveFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "permission", Category: catSession, Value: "reject",
			Usage: "answer permission requests by `POLICY`: reject, allow, allow:KIND,…, ask, jq:FILTER"},
		&cli.StringFlag{Name: "fs", Category: catSession, Usage: "serve files inside --cwd and --add-dir (version 1): `WHAT` is read or write"},
		&cli.BoolFlag{Name: "terminal", Category: catSession, Usage: "serve terminals (version 1)"},
	}
}
