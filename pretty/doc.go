// Package pretty makes what people and scripts read: log lines, transcripts,
// JSON documents and the results of jq filters.
package pretty
