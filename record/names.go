package record

import "bytes"

// nameClass says what the name of a member tells about its value.
type nameClass uint8

const (
	namePlain  nameClass = iota
	nameSecret           // the value is a secret: token, api_key, Authorization
	nameBag              // everything below is secret: secrets, credentials
	namePairs            // a list of names and values, the values may be secret: env, headers
)

// maxWords is how many words of a name are looked at, from its end.
const maxWords = 3

// classifyName looks at whole words only: inputTokens, token_count and
// progressToken name no secret, authToken and X-Api-Key do.
func classifyName(name []byte) nameClass {
	switch string(name) { // most names in a frame are these
	case "jsonrpc", "id", "method", "params", "result", "sessionId", "update", "sessionUpdate", "content",
		"type", "text", "toolCallId", "title", "kind", "status", "rawInput", "rawOutput", "messageId", "_meta":
		return namePlain
	case "env", "headers", "environment", "Env", "ENV", "Headers", "Environment", "envVars", "env_vars", "environmentVariables", "environment_variables", "httpHeaders", "http_headers":
		return namePairs
	}
	var buf [64]byte
	if len(name) < 3 || len(name) > len(buf) {
		return namePlain
	}
	words, n := lastWords(name, &buf)
	if n == 0 {
		return namePlain
	}
	last, before, third := words[0], words[1], words[2]
	switch string(last) {
	case "secrets", "credentials":
		return nameBag
	case "password", "passwd", "passphrase", "passcode", "secret", "authorization", "cookie", "credential",
		"apikey", "authtoken", "accesstoken", "accesskey", "secretkey", "privatekey", "jwt", "bearer", "pwd":
		return nameSecret
	case "passwords", "cookies", "apikeys":
		return nameSecret
	case "token":
		if plainToken(before) {
			return namePlain
		}
		return nameSecret
	case "key", "keys":
		switch string(before) {
		case "api", "access", "secret", "private", "signing", "encryption", "auth", "master", "app", "subscription":
			return nameSecret
		}
	case "pass":
		switch string(before) {
		case "db", "database", "smtp", "ftp", "http", "proxy", "user", "admin", "root", "mysql", "redis", "email":
			return nameSecret
		}
	case "auth":
		switch string(before) {
		case "basic", "proxy", "http":
			return nameSecret
		}
		if n == 1 && name[0] == '_' { // _auth of an .npmrc
			return nameSecret
		}
	case "code":
		switch string(before) {
		case "authorization", "auth":
			return nameSecret
		}
	case "verifier":
		if string(before) == "code" {
			return nameSecret
		}
	case "string":
		if string(before) == "connection" {
			return nameSecret
		}
	case "id":
		if string(before) == "key" && string(third) == "access" { // AWS_ACCESS_KEY_ID
			return nameSecret
		}
	}
	return namePlain
}

// plainToken says whether the word before "token" makes it something that is
// no secret: a cursor, a handle for progress, a symbol of a language model.
func plainToken(before []byte) bool {
	switch string(before) {
	case "progress", "done", "result", "page", "next", "prev", "previous", "continuation", "continue", "cursor", "sync",
		"cancel", "cancellation", "input", "output", "prompt", "completion", "reasoning", "thought", "cached", "cache",
		"total", "max", "min", "per", "stop", "start", "end", "eos", "bos", "pad", "unk", "mask", "sep", "cls",
		"special", "first", "last", "current", "design", "syntax", "semantic", "delta":
		return true
	}
	return false
}

// lastWords returns the last words of a name in lower case, the last first,
// and how many words it returned. Words end at what is neither letter nor
// digit, and at the humps of camelCase ("APIKey" is "api", "key").
func lastWords(name []byte, buf *[64]byte) (words [maxWords][]byte, n int) {
	copy(buf[:], name)
	low := buf[:len(name)]
	end := len(name)
	for end > 0 && n < maxWords {
		for end > 0 && !isAlnum(name[end-1]) {
			end--
		}
		start := end
		for start > 0 && isAlnum(name[start-1]) {
			start--
			if start == 0 || !isUpper(name[start]) {
				continue
			}
			// A capital begins a word if a small letter or digit stands before
			// it, or if it is the last of several capitals ("IK" in APIKey).
			if isLower(name[start-1]) || isDigit(name[start-1]) ||
				isUpper(name[start-1]) && start+1 < end && isLower(name[start+1]) {
				break
			}
		}
		if start == end {
			break
		}
		for i := start; i < end; i++ {
			if isUpper(low[i]) {
				low[i] += 'a' - 'A'
			}
		}
		words[n] = low[start:end]
		n++
		end = start
	}
	return words, n
}

// queryName says whether a query parameter of this name carries a secret.
// Some names do so only there.
func queryName(name []byte) bool {
	if classifyName(name) == nameSecret {
		return true
	}
	switch string(bytes.ToLower(name)) {
	case "key", "sig", "signature", "x-amz-signature", "x-goog-signature", "x-amz-credential", "auth":
		return true
	}
	return false
}

// headerName says whether an HTTP header of this name carries a secret; in
// running text "the token: 5" is none, so only names that cannot be prose.
func headerName(name []byte) bool {
	low := bytes.ToLower(name)
	switch string(low) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie", "apikey":
		return true
	}
	return bytes.IndexByte(low, '-') > 0 && classifyName(low) == nameSecret
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }
