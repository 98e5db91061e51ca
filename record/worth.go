package record

import "bytes"

// worthAShape is for what is told by its characters: it matches as it stands,
// or it stands behind an escape, the end of which ("\n") looks like a letter.
func worthAShape(m matcher) worth {
	return func(line []byte, at int) bool {
		if at >= 2 && line[at-2] == '\\' || at >= 6 && line[at-6] == '\\' {
			return true
		}
		_, ok := m(line, at)
		return ok
	}
}

// worthTelegram is for bot tokens: digits stand before the trigger, and escapes
// that end in digits can stand before these.
func worthTelegram(line []byte, at int) bool { return at > 0 && isDigit(line[at-1]) }

// worthUserinfo is for passwords in addresses, in which an escape may stand.
func worthUserinfo(line []byte, at int) bool {
	if _, ok := matchUserinfo(line, at); ok {
		return true
	}
	end := bytes.IndexAny(line[at+3:], "/? \"")
	return end > 0 && bytes.IndexByte(line[at+3:at+3+end], '\\') >= 0
}

// worthAName is for words that name a secret: only a value that follows makes
// them worth a look. Prose about tokens goes by, and so do counters, whose
// names are looked at here.
func worthAName(line []byte, at int) bool {
	if !isNameByte(line[at]) {
		return true
	}
	start, end := at, at
	for start > 0 && at-start < maxName && isNameByte(line[start-1]) {
		start--
	}
	for end < len(line) && end-at < maxName && isNameByte(line[end]) {
		end++
	}
	if end == len(line) {
		return false
	}
	switch line[end] {
	case '"':
		if start > 1 && line[start-1] == '"' && line[start-2] != '\\' {
			return classifyName(line[start:end]) != namePlain || line[start] == '-'
		}
		return bytes.IndexByte(line[start:end], '-') >= 0 // may be a flag
	case ' ':
		return bytes.IndexByte(line[start:end], '-') >= 0
	case '=', ':', '\\':
		return true
	}
	return false
}
