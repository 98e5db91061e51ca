package pretty

import (
	"errors"

	"github.com/acptool/acptool/wire"
)

var errNotBuilt = errors.New("not built yet")

// Selection picks entries. A glob (* and ?, also across /) is compared with an
// entry's names: its method (a response has its request's), the kind of a
// session update, and the words request, response, notification, error, noise,
// malformed, stderr, eof, exit.
type Selection struct {
	Only    []string    // if any: one of them matches
	Except  []string    // none of them matches
	From    *wire.Party // only what this side sent
	Session string      // only what names this session, or answers what named it
}
