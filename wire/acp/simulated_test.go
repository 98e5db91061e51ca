package acp

import "time"

// pass lets simulated time go by. The scripted agents run inside
// testing/synctest, where nothing really waits: the clock moves on once every
// goroutine of the test is blocked.
func pass(d time.Duration) { <-time.After(d) }
