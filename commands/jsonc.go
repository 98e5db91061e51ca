package commands

import "bytes"

// plainJSON takes comments and trailing commas out of JSON as editors write
// their settings (JSONC). What is left keeps its offsets: everything taken out
// becomes a space. Text that is no such JSON comes out in some form, for the
// decoder to refuse.
func plainJSON(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // the last comma, if only space and comments followed it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			i = closingQuote(out, i)
			comma = -1
		case bytes.HasPrefix(out[i:], []byte("//")):
			i = blank(out, i, "\n")
		case bytes.HasPrefix(out[i:], []byte("/*")):
			i = blank(out, i, "*/")
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out
}

// closingQuote is the index of the quote that ends the string beginning at i.
func closingQuote(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(b)
}

// blank overwrites a comment that begins at i and ends with end, and gives the
// index of its last byte.
func blank(b []byte, i int, end string) int {
	stop := len(b)
	if n := bytes.Index(b[i+2:], []byte(end)); n >= 0 {
		stop = i + 2 + n + len(end)
	}
	for ; i < stop; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	return stop - 1
}
