package record

// sampleChunk is an ordinary frame.
const sampleChunk = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess-0b1f3a52","update":{"sessionUpdate":"agent_message_chunk","messageId":"m-17","content":{"type":"text","text":"The second file holds the parser; it reads one line after the other and keeps a small table."}}}}`
