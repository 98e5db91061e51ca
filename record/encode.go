package record

import (
	"encoding/base64"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

func appendHeader(b []byte, h Header) []byte {
	b = append(b, `{"format":"`+FormatName+`","version":`...)
	b = strconv.AppendInt(b, FormatVersion, 10)
	if !h.Started.IsZero() {
		b = append(b, `,"started":"`...)
		b = h.Started.UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
		b = append(b, '"')
	}
	if h.Tool != "" {
		b = append(b, `,"tool":`...)
		b = appendString(b, h.Tool)
	}
	if h.Agent != nil {
		b = append(b, `,"agent":`...)
		b = appendStrings(b, h.Agent)
	}
	if h.PID != 0 {
		b = append(b, `,"pid":`...)
		b = strconv.AppendInt(b, int64(h.PID), 10)
	}
	if len(h.Redacted) > 0 {
		b = append(b, `,"redacted":`...)
		b = appendStrings(b, h.Redacted)
	}
	return append(b, '}', '\n')
}

// appendEntry appends the line for e. The frame's own bytes are copied.
func appendEntry(b []byte, e Entry, frame bool) []byte {
	b = append(b, `{"t":`...)
	b = appendSeconds(b, e.T)
	switch e.Kind {
	case wire.EntryEOF:
		b = append(b, `,"event":"eof"`...)
		b = appendFrom(b, e.From)
	case wire.EntryExit:
		b = append(b, `,"event":"exit"`...)
		if e.Exit.Signal != "" {
			b = append(b, `,"signal":`...)
			b = appendString(b, e.Exit.Signal)
		} else {
			b = append(b, `,"code":`...)
			b = strconv.AppendInt(b, int64(e.Exit.Code), 10)
		}
	case wire.EntryStderr:
		b = appendFrom(b, e.From)
		b = appendBytes(b, "stderr", "stderr64", e.Data)
	default:
		b = appendFrom(b, e.From)
		if frame {
			b = append(b, `,"msg":`...)
			b = append(b, e.Data...)
		} else {
			b = appendBytes(b, "text", "base64", e.Data)
		}
		if e.EOL != "\n" {
			b = append(b, `,"eol":`...)
			b = appendString(b, e.EOL)
		}
	}
	if len(e.Redacted) > 0 {
		b = append(b, `,"redacted":`...)
		b = appendStrings(b, e.Redacted)
	}
	if len(e.Ignore) > 0 {
		b = append(b, `,"ignore":`...)
		b = appendStrings(b, e.Ignore)
	}
	return append(b, '}', '\n')
}

// IsFrame says whether a line may stand as the "msg" of an entry: valid UTF-8,
// valid JSON, an object or an array, with nothing around it.
func IsFrame(line []byte) bool {
	n := len(line)
	if n < 2 || line[0] != '{' && line[0] != '[' || line[n-1] != '}' && line[n-1] != ']' {
		return false
	}
	if !utf8.Valid(line) {
		return false
	}
	// One level of the depth that readers take belongs to the entry around it.
	end, ok := scan.Check(line, 0, 1)
	return ok && end == n
}

func appendFrom(b []byte, p wire.Party) []byte {
	if p == wire.Agent {
		return append(b, `,"from":"agent"`...)
	}
	return append(b, `,"from":"client"`...)
}

// appendBytes appends data as a string under name, or, if it is not UTF-8, in
// base64 under name64.
func appendBytes(b []byte, name, name64 string, data []byte) []byte {
	b = append(b, ',', '"')
	if utf8.Valid(data) {
		b = append(b, name...)
		b = append(b, '"', ':')
		return appendString(b, data)
	}
	b = append(b, name64...)
	b = append(b, '"', ':', '"')
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, '"')
}

// appendSeconds appends d in seconds with six places.
func appendSeconds(b []byte, d time.Duration) []byte {
	if d < 0 {
		d = 0
	}
	us := int64(d / time.Microsecond)
	b = strconv.AppendInt(b, us/1e6, 10)
	b = append(b, '.')
	f := us % 1e6
	for p := int64(1e5); p > 0; p /= 10 {
		b = append(b, byte('0'+f/p%10))
	}
	return b
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

// appendString appends s as a JSON string. Only what must be escaped is,
// besides DEL and the two line separators that some readers take for line
// ends. What is not UTF-8 becomes U+FFFD.
func appendString[T string | []byte](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			switch {
			case r == utf8.RuneError && n == 1:
				b = append(append(b, s[from:i]...), "\ufffd"...)
				from = i + n
			case r == '\u2028' || r == '\u2029':
				b = append(append(b, s[from:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
				from = i + n
			}
			i += n
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}
