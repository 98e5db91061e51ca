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
