// Package record keeps connections in files and gives them back: the recording
// format (*.acp.jsonl), its writer and its tolerant reader, redaction, and the
// importers for captures that other tools made.
//
// A frame's own bytes go into a recording and come out of it again; nothing is
// ever marshalled anew, so key order, spelling of numbers, duplicate keys and
// escapes survive.
package record
