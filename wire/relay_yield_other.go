//go:build !linux

package wire

// yieldToTraffic does nothing here: threads have no priority of their own.
func yieldToTraffic() {}
