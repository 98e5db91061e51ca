package wire

import "golang.org/x/sys/unix"

// newChunk takes memory straight from the system, so that a chunk of a long
// line can be given back the moment its bytes have been joined: with the
// collector's memory the line would be held twice.
func newChunk() []byte {
	c, err := unix.Mmap(-1, 0, lineChunk, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_POPULATE)
	if err != nil {
		return make([]byte, 0, lineChunk)
	}
	return c[:0]
}

// freeChunk gives a chunk back. Munmap knows its own; others are the
// collector's.
func freeChunk(c []byte) { unix.Munmap(c[:cap(c)]) }
