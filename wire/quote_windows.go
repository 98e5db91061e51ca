package wire

import "strings"

// alsoPlain is what separates folders, and nothing else.
const alsoPlain = `\`

// quoted writes a word as programs take their command line apart: a backslash
// is one, unless it and others stand before a quote.
func quoted(word string) string {
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0
	for _, c := range []byte(word) {
		switch c {
		case '\\':
			slashes++
		case '"':
			b.WriteString(strings.Repeat(`\`, slashes+1))
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteByte(c)
	}
	b.WriteString(strings.Repeat(`\`, slashes))
	b.WriteByte('"')
	return b.String()
}
