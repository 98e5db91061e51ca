//go:build unix

package host

import "syscall"

const openNonblock = syscall.O_NONBLOCK
