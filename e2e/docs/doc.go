// Package docs runs the examples of the documents and compares what they print.
//
// An example is a fenced block whose info string is "console run":
//
//	```console run
//	$ acptool prompt --agent @demo "hello"
//	Hello! …
//	...
//	```
//
// A line that begins with "$ " is a command ("> " continues it), the lines after
// it are what it prints on stdout and stderr together. A line of three dots
// stands for any lines, "…" within a line for any text. The blocks of one
// document run in one shell and one empty folder, in order, so that one may use
// what an earlier one made; the home folder is empty too. With -update the
// expected lines that no longer fit are written anew (dots excepted).
//
// Other blocks are code to be copied: Block finds one, for a test that gives it
// what it lacks and runs it as it stands.
package docs
