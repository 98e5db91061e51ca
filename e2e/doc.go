// Package e2e tries the built tool on counterparties that are not ours: agents,
// a client and a server on the official SDK for Node (peers/, pinned in
// package-lock.json), whose JSON schemas also judge what the tool says
// (validate.mjs). These tests need Node and the build tag e2e:
//
//	(cd e2e && npm ci) && go test -tags e2e ./e2e/
//
// The counterparties written in Go need neither and are in gosdk/.
package e2e
