package record

import "bytes"

// span is a piece of text, from start up to end.
type span struct{ start, end int }

// matcher looks at the place where a trigger was found and returns what is to
// be taken out.
type matcher func(text []byte, at int) (span, bool)

// keyShape is how the keys of one issuer look: a beginning and a run of
// characters. Sources are the issuers' own documents on secret scanning.
type keyShape struct {
	prefix string
	min    int    // characters after the prefix
	chars  string // "w": letters and digits; "-": these, '_' and '-'; "x": hex; "A": capitals and digits; ".": "-" and dots
	digit  bool   // random keys of this length hold a digit; words do not
}

func keyShapes() []keyShape {
	return []keyShape{
		{"sk-", 20, "-", true}, // OpenAI, Anthropic, OpenRouter, DeepSeek
		{"csk-", 20, "w", true},
		{"gsk_", 20, "w", true},
		{"xai-", 20, "w", true},
		{"pplx-", 20, "w", true},
		{"tvly-", 16, "-", true},
		{"r8_", 20, "w", true},
		{"hf_", 20, "w", false},
		{"nvapi-", 20, "-", true},
		{"ghp_", 20, "w", false}, {"gho_", 20, "w", false}, {"ghu_", 20, "w", false}, {"ghs_", 20, "w", false}, {"ghr_", 20, "w", false},
		{"github_pat_", 20, "-", false},
		{"glpat-", 16, ".", false}, {"gldt-", 16, "-", true}, {"glrt-", 16, "-", true}, {"glptt-", 16, "-", true},
		{"akia", 16, "A", false}, {"asia", 16, "A", false}, {"abia", 16, "A", true}, {"acca", 16, "A", true},
		{"aiza", 30, "-", false},
		{"ya29.", 20, "-", false},
		{"gocspx-", 16, "-", false},
		{"1//0", 24, "-", true},
		{"xoxa-", 10, "-", true}, {"xoxb-", 10, "-", true}, {"xoxe-", 10, "-", true}, {"xoxe.", 10, ".", true},
		{"xoxo-", 10, "-", true}, {"xoxp-", 10, "-", true}, {"xoxr-", 10, "-", true}, {"xoxs-", 10, "-", true}, {"xapp-", 10, "-", true},
		{"sk_live_", 10, "w", false}, {"sk_test_", 10, "w", false}, {"rk_live_", 10, "w", false}, {"rk_test_", 10, "w", false},
		{"whsec_", 16, "w", false},
		{"npm_", 30, "w", false},
		{"pypi-", 40, "-", false},
		{"sg.", 40, ".", true},
		{"dop_v1_", 32, "x", false}, {"doo_v1_", 32, "x", false},
		{"dapi", 32, "x", true},
		{"lin_api_", 20, "w", false},
		{"ntn_", 30, "w", true},
		{"shpat_", 32, "x", false}, {"shpss_", 32, "x", false},
		{"sbp_", 32, "x", false},
		{"hvs.", 20, "-", false},
		{"dp.pt.", 20, "w", false},
		{"dckr_pat_", 20, "-", false},
		{"glsa_", 20, "-", true},
		{"pscale_tkn_", 20, "-", true},
		{"figd_", 20, "-", true},
		{"sntrys_", 20, "-", true},
		{"atatt3x", 20, "-", true},
		{"age-secret-key-1", 40, "A", false},
	}
}

// upperPrefix says which shapes are written in exactly this case; the trigger
// is in lower case, as all are.
func upperPrefix(prefix string) string {
	switch prefix {
	case "akia", "asia", "abia", "acca":
		return string(bytes.ToUpper([]byte(prefix)))
	case "aiza":
		return "AIza"
	case "gocspx-":
		return "GOCSPX-"
	case "sg.":
		return "SG."
	case "atatt3x":
		return "ATATT3x"
	case "age-secret-key-1":
		return "AGE-SECRET-KEY-1"
	}
	return prefix
}

func (k keyShape) match(text []byte, at int) (span, bool) {
	exact := upperPrefix(k.prefix)
	if string(text[at:at+len(exact)]) != exact {
		return span{}, false
	}
	// Where a key could go on to the left none begins. So one run of
	// characters is looked at once, however often the prefix stands in it.
	if at > 0 && (isWordByte(text[at-1]) || k.has(text[at-1])) {
		return span{}, false
	}
	end, digit := at+len(exact), false
	for end < len(text) && k.has(text[end]) {
		digit = digit || isDigit(text[end])
		end++
	}
	if end-at-len(exact) < k.min || k.digit && !digit {
		return span{}, false
	}
	return span{at, end}, true
}

func (k keyShape) has(c byte) bool {
	switch k.chars {
	case "w":
		return isAlnum(c)
	case "-":
		return isAlnum(c) || c == '_' || c == '-'
	case ".":
		return isAlnum(c) || c == '_' || c == '-' || c == '.'
	case "x":
		return isDigit(c) || c >= 'a' && c <= 'f'
	default:
		return isUpper(c) || isDigit(c)
	}
}

func isWordByte(c byte) bool { return isAlnum(c) || c == '_' }

// matchJWT finds a JSON Web Token: three runs of base64url, the first two of
// which are JSON objects ("eyJ" is `{"`).
func matchJWT(text []byte, at int) (span, bool) {
	if string(text[at:at+3]) != "eyJ" || at > 0 && (isWordByte(text[at-1]) || text[at-1] == '-') {
		return span{}, false
	}
	i := at
	for part := 0; part < 3; part++ {
		begin := i
		for i < len(text) && (isAlnum(text[i]) || text[i] == '_' || text[i] == '-') {
			i++
		}
		if part < 2 {
			if i-begin < 8 || i >= len(text) || text[i] != '.' {
				return span{}, false
			}
			i++
		}
	}
	return span{at, i}, true
}

// matchPEM finds a private key in PEM, whole or cut off.
func matchPEM(text []byte, at int) (span, bool) {
	rest := text[at:]
	line := rest[:min(len(rest), 64)]
	if !bytes.HasPrefix(line, []byte("-----BEGIN ")) || !bytes.Contains(line, []byte("PRIVATE KEY")) {
		return span{}, false
	}
	end := bytes.Index(rest[5:], []byte("-----END "))
	if end < 0 {
		return span{at, len(text)}, true
	}
	end += 5
	if tail := bytes.Index(rest[end+9:], []byte("-----")); tail >= 0 && tail < 64 {
		return span{at, at + end + 9 + tail + 5}, true
	}
	return span{at, len(text)}, true
}

// matchBearer finds what follows "Bearer " (RFC 6750). Words of prose are
// shorter than 16 characters or hold no digit.
func matchBearer(text []byte, at int) (span, bool) {
	i := at + len("bearer ")
	for i < len(text) && text[i] == ' ' {
		i++
	}
	begin, digit := i, false
	for i < len(text) && (isAlnum(text[i]) || bytes.IndexByte([]byte("-._~+/="), text[i]) >= 0) {
		digit = digit || isDigit(text[i])
		i++
	}
	if i-begin < 16 || !digit {
		return span{}, false
	}
	return span{begin, i}, true
}

// matchUserinfo finds the password in scheme://user:password@host.
func matchUserinfo(text []byte, at int) (span, bool) {
	i := at + len("://")
	colon := -1
	for i < len(text) {
		switch c := text[i]; {
		case c == '@':
			if colon < 0 || i == colon+1 {
				return span{}, false
			}
			return span{colon + 1, i}, true
		case c == ':' && colon < 0:
			colon = i
		case c == '/' || c == '?' || c == '#' || c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '\\':
			return span{}, false
		}
		i++
	}
	return span{}, false
}

// matchTelegram finds a bot token: digits, then ":AA" and 33 characters.
func matchTelegram(text []byte, at int) (span, bool) {
	start := at
	for start > 0 && isDigit(text[start-1]) {
		start--
	}
	end := at + 1
	for end < len(text) && (isAlnum(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	if at-start < 8 || at-start > 12 || end-at < 34 || end-at > 37 || string(text[at:at+3]) != ":AA" {
		return span{}, false
	}
	return span{start, end}, true
}

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
	i = skipSpace(text, i)
	if i >= len(text) || text[i] != ':' {
		return span{}, false
	}
	i = skipSpace(text, i+1)
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
