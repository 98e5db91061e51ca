package wire

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acptool/acptool/wire/scan"
)

// dig looks for frames in a line that is none itself: glued to each other, or
// behind something that was written without a line end: escape codes, a
// prompt, a banner. Text that introduces what follows it is no such thing: in
//
//	sent: {"jsonrpc":"2.0","id":1,"result":{}}
//
// a log quotes a frame that was sent elsewhere, perhaps the other way, and to
// take it for a frame would be to answer a question twice. So only that counts
// as a frame which reaches to the end of the line (but for escape codes) and
// has nothing before it that could be such an introduction.
func dig(line, body []byte) Decoded {
	noise := Decoded{Noise: line, Err: errNotJSON}
	// Nearly all noise ends here.
	if !bytes.Contains(body, []byte(`"jsonrpc"`)) {
		return noise
	}
	// What looks like a beginning and is none costs little, but it must not
	// be possible to make it cost a lot.
	for at, budget := 0, 4*len(body)+1<<20; budget > 0; {
		i := bytes.IndexByte(body[at:], '{')
		if i < 0 {
			return noise
		}
		at += i
		messages, seen, ok := frames(body[at:])
		if ok && !introduces(body[:at]) {
			return Decoded{Messages: messages, Noise: body[:at:at], Dug: true}
		}
		if ok {
			return noise
		}
		budget -= seen
		switch end := scan.Valid(body, at); {
		case end >= 0: // an object, but no frame: nor is what is in it
			budget -= end - at
			at = end
		case scan.ValidKey(body, at+1) < 0:
			budget -= 16
			at++
		default:
			budget -= len(body) - at
			at++
		}
	}
	return noise
}

// frames reads messages that stand one behind the other until the end of b. If
// it fails, it says how many bytes were right.
func frames(b []byte) (messages []Message, seen int, ok bool) {
	for i := 0; ; {
		m, end, err := parseAt(b, i)
		if err != nil {
			return nil, i, false
		}
		messages = append(messages, m)
		if i = scan.Space(b, end); i == len(b) {
			return messages, i, true
		}
		if b[i] != '{' {
			rest := b[i:]
			return messages, i, len(rest) < 100 && strings.TrimSpace(visible(rest)) == ""
		}
	}
}

// introduces reports whether text that stands before a frame may be there
// because of the frame.
func introduces(before []byte) bool {
	// What stands before a \r was overwritten: a progress bar.
	if i := bytes.LastIndexByte(before, '\r'); i >= 0 {
		before = before[i+1:]
	}
	text := visible(before)
	trimmed := strings.TrimRightFunc(text, unicode.IsSpace)
	if trimmed == "" {
		return false
	}
	last, size := utf8.DecodeLastRuneInString(trimmed)
	previous, _ := utf8.DecodeLastRuneInString(trimmed[:len(trimmed)-size])
	switch last {
	case '>': // a prompt; but -> => >> <> are arrows
		return strings.ContainsRune("-=<>~", previous)
	case '$', '#', '%', '❯', '»', '›', 'λ', '.', '!', '…', '}':
		return false
	}
	if len(trimmed) < len(text) {
		return true // words and then a space: a sentence that goes on
	}
	return strings.ContainsRune(":=,;<-~|([]{\"'`\\/→←", last)
}

// terminal matches what a terminal does not show: control sequences,
// operating system commands (titles, links), other escapes, control characters.
const terminal = `\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f]`

// visible is what of b a terminal would show as text.
func visible(b []byte) string {
	if bytes.IndexFunc(b, unicode.IsControl) < 0 {
		return string(bytes.TrimPrefix(b, []byte("\ufeff")))
	}
	// Compiled here, since it is needed for few lines of few agents.
	b = regexp.MustCompile(terminal).ReplaceAll(b, nil)
	return string(bytes.TrimPrefix(b, []byte("\ufeff")))
}
