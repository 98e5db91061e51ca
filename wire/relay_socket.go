package wire

import (
	"net"
	"syscall"
)

// Socket is a connection whose directions can be closed one by one.
type Socket interface {
	net.Conn
	syscall.Conn
	CloseRead() error
	CloseWrite() error
}

// SocketSide makes a Side of a socket. Closing one of its ends closes that
// direction only; whoever opened the socket closes it when the pass-through
// has ended.
func SocketSide(s Socket) Side { return Side{In: socketIn{s}, Out: socketOut{s}} }

type socketIn struct{ Socket }

func (s socketIn) Close() error { return s.CloseRead() }

type socketOut struct{ Socket }

func (s socketOut) Close() error { return s.CloseWrite() }
