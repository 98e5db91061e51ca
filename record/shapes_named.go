package record

import (
	"bytes"

	"github.com/acptool/acptool/wire/scan"
)

// matchName finds the value that a secret's name in running text announces:
// ?name=value, --name=value, --name value, NAME=value, "name": "value" and
// Header-Name: value.
func matchName(text []byte, at int) (span, bool) {
	if !isNameByte(text[at]) {
		at++ // the trigger begins with what stands before the name
	}
	start, end := at, at
	for start > 0 && at-start < maxName && isNameByte(text[start-1]) {
		start--
	}
	for end < len(text) && end-at < maxName && isNameByte(text[end]) {
		end++
	}
	name := text[start:end]
	before := byte(0)
	if start > 0 {
		before = text[start-1]
	}
	next := byte(0)
	if end < len(text) {
		next = text[end]
	}
	switch {
	case next == '=' && (before == '?' || before == '&' || before == ';'):
		if !queryName(name) {
			return span{}, false
		}
		return valueSpan(text, end+1, "&#;")
	case len(name) > 2 && name[0] == '-':
		flag := bytes.TrimLeft(name, "-")
		if len(name)-len(flag) > 2 || classifyName(flag) != nameSecret || next != '=' && next != ' ' {
			return span{}, false
		}
		if next == ' ' && end+1 < len(text) && text[end+1] == '-' {
			return span{}, false // the next flag
		}
		return valueSpan(text, end+1, "")
	case next == '=' && assignable(before) && isShouting(name):
		if classifyName(name) != nameSecret {
			return span{}, false
		}
		return valueSpan(text, end+1, ";")
	case next == '"' && before == '"':
		if classifyName(name) != nameSecret {
			return span{}, false
		}
		return quotedSpan(text, end+1)
	case next == '\\' && before == '"':
		k := 0 // so many stand before each quote, as in JSON in a string of JSON
		for start-1-k > 0 && text[start-2-k] == '\\' {
			k++
		}
		quote := append(bytes.Repeat([]byte{'\\'}, k), '"')
		if k == 0 || k > maxName || !bytes.HasPrefix(text[end:], quote) || classifyName(name) != nameSecret {
			return span{}, false
		}
		return deepSpan(text, end+len(quote), quote)
	case next == ':' && headerName(name):
		return headerSpan(text, end+1)
	}
	return span{}, false
}

// maxName bounds how far a name is followed to either side.
const maxName = 64

func isNameByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' }

// assignable says whether a NAME=value of a shell or an .env file can stand
// after c.
func assignable(c byte) bool {
	return c <= ' ' || c == '"' || c == '\'' || c == ';' || c == '|' || c == '(' || c == '`'
}

// isShouting says whether a name is spelled as environment variables are.
func isShouting(name []byte) bool {
	for _, c := range name {
		if !isUpper(c) && !isDigit(c) && c != '_' {
			return false
		}
	}
	return true
}

// valueSpan is the word that begins at i, quoted or up to white space or one
// of stop. Variables and placeholders are no secrets.
func valueSpan(text []byte, i int, stop string) (span, bool) {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	if i >= len(text) {
		return span{}, false
	}
	if q := text[i]; q == '"' || q == '\'' {
		if !secretBegins(text[i+1:]) {
			return span{}, false
		}
		end := bytes.IndexByte(text[i+1:], q)
		if end < 0 {
			end = len(text) - i - 1
		}
		return span{i + 1, i + 1 + end}, end > 0
	}
	if !secretBegins(text[i:]) {
		return span{}, false
	}
	end := i
	for end < len(text) && text[end] > ' ' && bytes.IndexByte([]byte("\"'`<>)|"), text[end]) < 0 && bytes.IndexByte([]byte(stop), text[end]) < 0 {
		end++
	}
	return span{i, end}, end > i
}

// quotedSpan is the string after `"name"` in JSON that stands inside a string.
func quotedSpan(text []byte, i int) (span, bool) {
	i = scan.Space(text, i)
	if i >= len(text) || text[i] != ':' {
		return span{}, false
	}
	i = scan.Space(text, i+1)
	if i >= len(text) || text[i] != '"' || !secretBegins(text[i+1:]) {
		return span{}, false
	}
	end := i + 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(text))
	return span{i + 1, end}, end > i+1
}

// deepSpan is quotedSpan where quotes are written with backslashes before them.
func deepSpan(text []byte, i int, quote []byte) (span, bool) {
	i = scan.Space(text, i)
	if i >= len(text) || text[i] != ':' {
		return span{}, false
	}
	i = scan.Space(text, i+1)
	if !bytes.HasPrefix(text[i:], quote) || !secretBegins(text[i+len(quote):]) {
		return span{}, false
	}
	i += len(quote)
	for end := i; ; end++ {
		next := bytes.Index(text[end:], quote)
		if next < 0 {
			return span{i, len(text)}, true
		}
		if end += next; end == i || text[end-1] != '\\' {
			return span{i, end}, end > i
		}
	}
}

// headerSpan is the value of a header up to the end of the line or a quote.
func headerSpan(text []byte, i int) (span, bool) {
	for i < len(text) && text[i] == ' ' {
		i++
	}
	if !secretBegins(text[i:]) {
		return span{}, false
	}
	end := i
	for end < len(text) && text[end] != '\n' && text[end] != '\r' && text[end] != '"' && text[end] != '\'' {
		end++
	}
	return span{i, end}, end > i
}

// secretBegins refuses values that are none, by how they begin: variables,
// placeholders, and what was taken out already. It is asked before the end is
// looked for, so that text full of them costs no more than other text.
func secretBegins(v []byte) bool {
	if len(v) == 0 || bytes.IndexByte([]byte("$%<{"), v[0]) >= 0 {
		return false
	}
	return !bytes.HasPrefix(v, []byte(Redacted))
}
