package pretty

import "strings"

// terminalText is what a program wrote to its terminal as plain text: escape
// sequences (colours, titles, movements) are left out, and of a line that was
// written over by carriage returns the last version stays.
func terminalText(output []byte) string {
	var out strings.Builder
	var line []byte
	column := 0
	end := func() {
		out.Write(line)
		line, column = line[:0], 0
	}
	for i := 0; i < len(output); {
		c := output[i]
		switch c {
		case 0x1b:
			i += escapeLength(output[i:])
			continue
		case '\n':
			end()
			out.WriteByte('\n')
		case '\r':
			column = 0
		case '\b':
			column = max(column-1, 0)
		default:
			if c < 0x20 && c != '\t' {
				break
			}
			if column < len(line) {
				line[column] = c
			} else {
				line = append(line, c)
			}
			column++
		}
		i++
	}
	end()
	return strings.ToValidUTF8(out.String(), "\ufffd")
}

// escapeLength is the length of the escape sequence that b begins with.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 1
	}
	switch b[1] {
	case '[': // CSI: parameters, then a final byte
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return len(b)
	case ']', 'P', '_', '^', 'X': // strings, up to BEL or ESC backslash
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b {
				return min(i+2, len(b))
			}
		}
		return len(b)
	}
	return 2
}
