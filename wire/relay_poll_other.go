//go:build !linux

package wire

// newPollEngine returns nil: elsewhere goroutines copy.
func newPollEngine(*RelayOptions) (engine, error) { return nil, nil }
