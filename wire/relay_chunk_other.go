//go:build !linux

package wire

func newChunk(int) []byte { return make([]byte, 0, lineChunk) }

func freeChunk([]byte) {}
