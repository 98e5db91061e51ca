package wire

// StartFunc is Start for who needs a response at its place in the order of the
// wire: on is called with it on the goroutine that reads, after the Handler has
// seen all that came before it and before anything that came after, and before
// Pending.Done is closed. An error response comes as an *RPCError, a malformed
// one as a *MalformedResponseError; where the connection ends first, on is not
// called. on must not wait for the peer.
func (c *Conn) StartFunc(method string, params any, on func(Message, error)) (*Pending, error) {
	return nil, errNotBuilt
}
