// Package gosdk tries the built tool on the example agent and the example
// client of github.com/coder/acp-go-sdk, built as they are from the module
// cache. It needs nothing but Go, so it is part of go test ./...
package gosdk
