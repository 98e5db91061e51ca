// Package shells tries the completion scripts in the shells they are for: it
// types a line at a terminal, lets the shell complete it, and looks at what the
// line has become. These tests need bash, zsh and fish and the build tag e2e.
package shells
