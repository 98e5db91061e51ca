package wire

// Decoded is what a line turned out to be. All of a blank line is zero.
type Decoded struct {
	Messages []Message
	Batch    bool   // the line was an array; Messages are its members
	Noise    []byte // the line, or what stood before a frame that was dug out
	Dug      bool   // Messages were found behind Noise, or glued to each other
	Err      error  // why the line, or a member of the array, is no message
}

// Parse reads one JSON-RPC message: a JSON object with "jsonrpc":"2.0" and
// either a method, or an id and exactly one of result and error.
func Parse(raw []byte) (Message, error) { return Message{}, errNotBuilt }

// Decode says what a line of a peer is: a message, a batch, noise. A byte
// order mark, a trailing \r and white space around the line do not count.
func Decode(line []byte) Decoded { return Decoded{Err: errNotBuilt} }

// Lookup finds the value at a path of member names without building a tree:
// Lookup(m.Params, "update", "sessionUpdate"). It is nil if there is none. raw
// must be valid JSON, as all parts of a parsed Message are.
func Lookup(raw []byte, path ...string) []byte { return nil }
