package wire

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isRefused says whether nobody listens where a connection was tried.
func isRefused(err error) bool { return errors.Is(err, windows.WSAECONNREFUSED) }
