package record

import (
	"time"

	"github.com/acptool/acptool/wire"
)

// FormatName and FormatVersion stand in the header of every recording. The
// version rises with any change that an old reader would misread; files of old
// versions stay readable for ever.
const (
	FormatName    = "acptool"
	FormatVersion = 1
)

// Extension is the end of a recording's file name.
const Extension = ".acp.jsonl"

// Header is the first line of a recording. One that recurs begins a new
// connection, with times that start anew.
type Header struct {
	Format   string    // FormatName
	Version  int       // FormatVersion
	Started  time.Time // wall clock at the connection's beginning, UTC; zero if unknown
	Tool     string    // name and version of the program that wrote it
	Agent    []string  // the agent's argv, or its address as the only element
	PID      int       // process id of the writer, 0 if unknown
	Redacted []string  // JSON pointers of the places in this header that were redacted
}

// Entry is one entry of a recording: what an observer of the connection saw,
// and what the file says about it.
type Entry struct {
	wire.Entry

	// Frame says that Data is a valid JSON object or array (a "msg" of the
	// file); otherwise a line is noise.
	Frame bool
	// Redacted are JSON pointers into the frame: values there were replaced.
	// For lines that are no frame, and for stderr, the pointer is "".
	Redacted []string
	// Ignore are jq paths that a comparison with this entry leaves out.
	Ignore []string
	// Conn counts the connections of the file from 0.
	Conn int
	// Header is the header of the entry's connection, nil if there was none.
	Header *Header
	// HasT is false if the file did not say when (T is then the time of the
	// entry before).
	HasT bool
	// FileLine is the line of the file where the entry begins, from 1.
	FileLine int
}

// Source says in which format a file was found to be.
type Source string

// The formats that NewReader recognises by content.
const (
	SourceAcptool   Source = "acptool"
	SourceJSONRPC   Source = "json-rpc lines"
	SourceAcpx      Source = "acpx journal"
	SourceAcpdbg    Source = "acpdbg"
	SourceInspector Source = "acp-inspector trace"
	SourceDevtools  Source = "acp-devtools export"
	SourceConductor Source = "conductor trace"
)

// Redacted is what stands in place of a value that was taken out.
const Redacted = "[redacted]"
