// Command acptool is a headless toolbox for scripting and debugging the Agent
// Client Protocol. This file is the process edge: arguments, streams and the
// exit status, nothing else.
package main

//go:generate go run ./generate

import (
	"os"

	"github.com/acptool/acptool/commands"
)

func main() {
	os.Exit(commands.Main(os.Args, commands.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
