// Package record knows the recording format of acptool: its writer and
// reader, redaction, importers of foreign captures, and replay.
package record
