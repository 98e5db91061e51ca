//go:build !linux

package wire

func newChunk() []byte { return make([]byte, 0, lineChunk) }

func freeChunk([]byte) {}
