package wire

import "strings"

// Quote writes a word of a command line as a shell of this platform reads it
// back, with quotes only where they are needed.
func Quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, isSpecial) {
		return word
	}
	return quoted(word)
}

// QuoteLine writes a command line that a shell of this platform reads back.
func QuoteLine(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = Quote(w)
	}
	return strings.Join(all, " ")
}

// isSpecial says whether a character may mean something to a shell.
func isSpecial(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("-_./:=@%+,…"+alsoPlain, r)
}
