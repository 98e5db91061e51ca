//go:build unix

package wire

import (
	"errors"
	"syscall"
)

// isRefused says whether nobody listens where a connection was tried.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
