package record

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func newTestRedactor(t testing.TB, o RedactOptions) *Redactor {
	t.Helper()
	r, err := NewRedactor(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fake puts keys together at run time, so that this file itself holds none
// that a scanner for leaked keys would report.
func fake(parts ...string) string { return strings.Join(parts, "") }

func TestClassifyName(t *testing.T) {
	secret := []string{
		"token", "access_token", "accessToken", "authToken", "auth-token", "refreshToken", "id_token", "sessionToken", "csrfToken",
		"AWS_SESSION_TOKEN", "secret", "client_secret", "clientSecret", "password", "db.password", "userPassword", "PASSWD", "passphrase",
		"api_key", "apiKey", "APIKey", "apikey", "x-api-key", "X-API-Key", "OPENAI_API_KEY", "private_key", "secretAccessKey",
		"Authorization", "proxy-authorization", "cookie", "Set-Cookie", "jwt", "DB_PASS", "proxyAuth", "_auth", "code_verifier",
		"connectionString", "accessKeyId", "apiKeys", "credential",
	}
	plain := []string{
		"inputTokens", "outputTokens", "totalTokens", "cachedReadTokens", "thoughtTokens", "input_tokens", "token_count", "tokenCount",
		"max_tokens", "maxTokens", "tokens", "progressToken", "workDoneToken", "partialResultToken", "nextPageToken", "page_token", "cursorToken",
		"tokenizer", "tokenType", "tokenUsage", "token_limit", "key", "publicKey", "keyboard", "primaryKey", "foreign_key", "keys",
		"secretary", "passwordless", "passed", "pass", "compass", "author", "authors", "authMethods", "auth", "authStatus", "authorizationUrl",
		"cookieConsent", "sessionId", "messageId", "monkey", "turkey", "code", "exitCode", "statusCode", "x", "", "_", "__", "T",
	}
	for _, n := range secret {
		if got := classifyName([]byte(n)); got != nameSecret {
			t.Errorf("classifyName(%q) = %v, want secret", n, got)
		}
	}
	// Each of them is found in a frame too.
	r := newTestRedactor(t, RedactOptions{})
	for _, n := range append(secret, "secrets", "env", "headers", "envVars", "credentials", "http_headers") {
		for _, value := range []string{`"v"`, `["v"]`, `{"v":"v"}`} {
			if n == "env" || n == "headers" || n == "envVars" || n == "http_headers" || classifyName([]byte(n)) == nameSecret && value[0] == '{' {
				value = strings.Replace(`{"v":"v"}`, `{`, `{"token":"x",`, 1)
			}
			if out, _ := r.Line([]byte(`{"x":{"` + n + `":` + value + `}}`)); !bytes.Contains(out, []byte(Redacted)) {
				t.Errorf("%s: %s", n, out)
			}
		}
	}
	for _, n := range plain {
		if got := classifyName([]byte(n)); got != namePlain {
			t.Errorf("classifyName(%q) = %v, want plain", n, got)
		}
	}
	for _, n := range []string{"secrets", "credentials"} {
		if classifyName([]byte(n)) != nameBag {
			t.Errorf("%q is no bag", n)
		}
	}
	for _, n := range []string{"env", "headers"} {
		if classifyName([]byte(n)) != namePairs {
			t.Errorf("%q has no pairs", n)
		}
	}
}

const alnum40 = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"

func keySamples() []string {
	return []string{
		fake("sk-", alnum40), fake("sk-ant-", "api03-", alnum40, "-_", alnum40), fake("sk-proj-", alnum40), fake("sk-or-v1-", "0123456789abcdef0123456789abcdef"),
		fake("gh", "p_", alnum40[:36]), fake("gh", "s_", alnum40[:36]), fake("github", "_pat_", alnum40), fake("glpat", "-", alnum40[:20]),
		fake("AK", "IA", "ABCDEFGHIJKLMNOP"), fake("AS", "IA", "ABCDEFGHIJ123456"), fake("AI", "za", alnum40[:35]), fake("ya29", ".", alnum40), fake("GOCSPX", "-", alnum40[:28]),
		fake("xox", "b-", "123456789012-", alnum40[:24]), fake("xa", "pp-", "1-", alnum40),
		fake("sk", "_live_", alnum40[:24]), fake("rk", "_test_", alnum40[:24]), fake("wh", "sec_", alnum40[:32]),
		fake("npm", "_", alnum40[:36]), fake("pypi", "-", "AgEIcHlwaS5vcmc", alnum40), fake("hf", "_", alnum40[:34]), fake("gsk", "_", alnum40),
		fake("SG", ".", alnum40[:22], ".", alnum40), fake("dop", "_v1_", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
		fake("lin", "_api_", alnum40), fake("shp", "at_", "0123456789abcdef0123456789abcdef"), fake("hv", "s.", alnum40), fake("r8", "_", alnum40[:37]),
		fake("ey", "J", "hbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.", alnum40), fake("xai", "-", alnum40), fake("dckr", "_pat_", alnum40[:27]),
		fake("-----BEGIN ", "RSA PRIVATE KEY-----\nMIIEow\nABCD\n-----END RSA PRIVATE KEY-----"),
		fake("-----BEGIN ", "OPENSSH PRIVATE KEY-----\nb3Blbn"),
		fake("123456789", ":AA", alnum40[:33]),
	}
}

func TestKeyShapesAreTakenOutOfAnyString(t *testing.T) {
	r := newTestRedactor(t, RedactOptions{})
	for _, key := range keySamples() {
		for _, around := range []string{"%", "see % there", "key=%", "(%)", "\"%\"", "line\n%\n", "x: %,", "'%'"} {
			text := strings.ReplaceAll(around, "%", key)
			out, ok := r.Text([]byte(text))
			if !ok || bytes.Contains(out, []byte(key)) || !bytes.Contains(out, []byte(Redacted)) {
				t.Errorf("Text(%q) = %q", text, out)
			}
			line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "session/update", "params": map[string]any{"update": map[string]any{"content": []any{map[string]any{"text": text}}}}})
			red, ptrs := r.Line(line)
			if !slices.Equal(ptrs, []string{"/params/update/content/0/text"}) || bytes.Contains(red, []byte(strings.Split(key, "\n")[0])) {
				t.Errorf("Line(%s) = %s, %q", line, red, ptrs)
			}
		}
	}
}

func TestNamedValuesInText(t *testing.T) {
	r := newTestRedactor(t, RedactOptions{})
	for in, want := range map[string]string{
		"GET https://h/p?a=1&access_token=abc&b=2":        "GET https://h/p?a=1&access_token=[redacted]&b=2",
		"https://h/v1?key=abcd":                           "https://h/v1?key=[redacted]",
		"https://u:pw@host/x":                             "https://u:[redacted]@host/x",
		"tool --api-key hunter2 --verbose":                "tool --api-key [redacted] --verbose",
		"tool --api-key=hunter2 x":                        "tool --api-key=[redacted] x",
		"tool --token 'a b' x":                            "tool --token '[redacted]' x",
		"curl -H 'Authorization: Bearer abc' u":           "curl -H 'Authorization: [redacted]' u",
		"X-Api-Key: abc\nHost: h":                         "X-Api-Key: [redacted]\nHost: h",
		"Cookie: a=b; c=d":                                "Cookie: [redacted]",
		"OPENAI_API_KEY=abc cmd":                          "OPENAI_API_KEY=[redacted] cmd",
		"export DB_PASSWORD=\"abc def\"\n":                "export DB_PASSWORD=\"[redacted]\"\n",
		`{"user":"u","password": "hunter2","n":1}`:        `{"user":"u","password": "[redacted]","n":1}`,
		"auth Bearer abcdefgh12345678 ok":                 "auth Bearer [redacted] ok",
		`{"clientSecret":"a\"b","x":"y"}`:                 `{"clientSecret":"[redacted]","x":"y"}`,
		`{"a":"{\"token\": \"se\\\"c\",\"b\":1}"}`:        `{"a":"{\"token\": \"[redacted]\",\"b\":1}"}`,
		`{\\\"token\\\":\\\"se\\\\\\\"c\\\"}`:             `{\\\"token\\\":\\\"[redacted]\\\"}`,
		`\"token\":\"cut`:                                 `\"token\":\"[redacted]`,
		`\"token\":\"\",\"token\":5,\"tokens\":\"x\"`:     `\"token\":\"\",\"token\":5,\"tokens\":\"x\"`,
		"?sig=abc&se=1":                                   "?sig=[redacted]&se=1",
		"A_TOKEN=x B_SECRET=y":                            "A_TOKEN=[redacted] B_SECRET=[redacted]",
		"password reset --token --next":                   "password reset --token --next",
		"API_KEY=$API_KEY run":                            "API_KEY=$API_KEY run",
		"API_KEY=<your key>":                              "API_KEY=<your key>",
		"the token: 5 and the secret = 7":                 "the token: 5 and the secret = 7",
		"const token=getToken(); api_key=key":             "const token=getToken(); api_key=key",
		"max_tokens=100&inputTokens=5":                    "max_tokens=100&inputTokens=5",
		"sk-learn and task-force; risk-averse-investors":  "sk-learn and task-force; risk-averse-investors",
		"bearer of good news, Bearer authentication":      "bearer of good news, Bearer authentication",
		"http://host:8080/x and a://b:c/d@e":              "http://host:8080/x and a://b:c/d@e",
		"-----BEGIN CERTIFICATE-----\nMII\n":              "-----BEGIN CERTIFICATE-----\nMII\n",
		"see eyJ and eyJhbGciOi. done":                    "see eyJ and eyJhbGciOi. done",
		"commit 0123456789abcdef0123456789abcdef01234567": "commit 0123456789abcdef0123456789abcdef01234567",
	} {
		out, _ := r.Text([]byte(in))
		if string(out) != want {
			t.Errorf("Text(%q)\n = %q\nwant %q", in, out, want)
		}
	}
}

func TestFramePlaces(t *testing.T) {
	r := newTestRedactor(t, RedactOptions{})
	for _, c := range []struct{ name, in, want, ptrs string }{
		{"mcp env and headers",
			`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"a","command":"/c","args":["--api-key","k1","-v"],"env":[{"name":"HOME","value":"/h"},{"name":"E","value":""}]},{"type":"http","url":"https://x/?token=t&a=b","headers":[{"value":"v","name":"X"}]}]}}`,
			`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"a","command":"/c","args":["--api-key","[redacted]","-v"],"env":[{"name":"HOME","value":"[redacted]"},{"name":"E","value":""}]},{"type":"http","url":"https://x/?token=[redacted]&a=b","headers":[{"value":"[redacted]","name":"X"}]}]}}`,
			"/params/mcpServers/0/args/1 /params/mcpServers/0/env/0/value /params/mcpServers/1/url /params/mcpServers/1/headers/0/value"},
		{"objects and lists of an environment",
			`{"method":"x","params":{"env":{"A":"1","B":{"c":"d"},"N":5},"x":{"env":["A=b","C"]}}}`,
			`{"method":"x","params":{"env":{"A":"[redacted]","B":{"c":"d"},"N":5},"x":{"env":["A=[redacted]","C"]}}}`,
			"/params/env/A /params/x/env/0"},
		{"_meta and nested objects of a tool call",
			`{"method":"session/update","params":{"_meta":{"v/x":{"authToken":"t","n":{"password":"p"}}},"update":{"rawInput":{"credentials":{"user":"u","list":["a",1]},"api_key":["a","b",{"c":"d"}],"token":12,"secret":null}}}}`,
			`{"method":"session/update","params":{"_meta":{"v/x":{"authToken":"[redacted]","n":{"password":"[redacted]"}}},"update":{"rawInput":{"credentials":{"user":"[redacted]","list":["[redacted]",1]},"api_key":["[redacted]","[redacted]",{"c":"d"}],"token":12,"secret":null}}}}`,
			"/params/_meta/v~1x/authToken /params/_meta/v~1x/n/password /params/update/rawInput/credentials/user /params/update/rawInput/credentials/list/0 /params/update/rawInput/api_key/0 /params/update/rawInput/api_key/1"},
		{"what a login sends besides its method",
			`{"jsonrpc":"2.0","id":2,"params":{"methodId":"key","_meta":{"k":"v"},"value":"v"},"method":"authenticate"}`,
			`{"jsonrpc":"2.0","id":2,"params":{"methodId":"key","_meta":{"k":"[redacted]"},"value":"[redacted]"},"method":"authenticate"}`,
			"/params/_meta/k /params/value"},
		{"a login in a batch, spelled with an escape",
			`[{"method":"auth\/login","params":{"x":"y"}},{"method":"y","params":{"x":"login"}}]`,
			`[{"method":"auth\/login","params":{"x":"[redacted]"}},{"method":"y","params":{"x":"login"}}]`,
			"/0/params/x"},
		{"spelling around is kept",
			"{ \"a\" :1.50 ,\t\"token\" : \"t\",\"token\":\"u\" , \"z\":\"\\u00e9\\/\" ,\"big\":12345678901234567890}",
			"{ \"a\" :1.50 ,\t\"token\" : \"[redacted]\",\"token\":\"[redacted]\" , \"z\":\"\\u00e9\\/\" ,\"big\":12345678901234567890}",
			"/token /token"},
		{"a name behind escapes", `{"\u0074oken":"t","a":"?access_tok\u0065n=x"}`, `{"\u0074oken":"[redacted]","a":"?access_token=[redacted]"}`, "/token /a"},
		{"headers with several values, and as a list of pairs",
			`{"a":{"headers":{"X-A":["v","w"],"B":5}},"b":{"headers":[["X-B","v"],["X-C","w"]]},"c":{"headers":["X-D: v"]}}`,
			`{"a":{"headers":{"X-A":["[redacted]","[redacted]"],"B":5}},"b":{"headers":[["X-B","[redacted]"],["X-C","[redacted]"]]},"c":{"headers":["X-D: [redacted]"]}}`,
			"/a/headers/X-A/0 /a/headers/X-A/1 /b/headers/0/1 /b/headers/1/1 /c/headers/0"},
		{"an environment in capitals", `{"Env":["A=v","B=c:d"],"x":{"Headers":{"X":["v"]}},"ENV":{"A":"v"}}`, `{"Env":["A=[redacted]","B=[redacted]"],"x":{"Headers":{"X":["[redacted]"]}},"ENV":{"A":"[redacted]"}}`, "/Env/0 /Env/1 /x/Headers/X/0 /ENV/A"},
		{"a flag behind escapes", `{"args":["\u002d-token","v"]}`, `{"args":["\u002d-token","[redacted]"]}`, "/args/1"},
		{"a method given twice", `{"method":"x","method":"authenticate","params":{"x":"y"}}`, `{"method":"x","method":"authenticate","params":{"x":"[redacted]"}}`, "/params/x"},
		{"an escape before a bot's token", `{"a":"\u2028` + fake("123456789", ":AA", alnum40[:33]) + `"}`, `{"a":"\u2028[redacted]"}`, "/a"},
		{"a login behind escapes", `{"method":"\u0061uthenticate","params":{"x":"y"}}`, `{"method":"\u0061uthenticate","params":{"x":"[redacted]"}}`, "/params/x"},
		{"ids", `{"jsonrpc":"2.0","id":"` + fake("sk-", alnum40) + `","method":"m","params":{"sessionId":"` + fake("sk-", alnum40) + `"}}`, "", ""},
		{"usage and cursors", `{"jsonrpc":"2.0","id":3,"result":{"usage":{"inputTokens":1,"outputTokens":"2","totalTokens":3,"token_count":"9"},"_meta":{"progressToken":"p1","nextPageToken":"np"}}}`, "", ""},
		{"already redacted", `{"token":"[redacted]","env":{"A":"[redacted]"}}`, "", ""},
		{"no message at all", `[["--password","p"],"--token","-x",{"Cookie":"c"}]`, `[["--password","[redacted]"],"--token","[redacted]",{"Cookie":"[redacted]"}]`, "/0/1 /2 /3/Cookie"},
	} {
		if c.want == "" {
			c.want = c.in
		}
		out, ptrs := r.Line([]byte(c.in))
		if string(out) != c.want || strings.Join(ptrs, " ") != c.ptrs {
			t.Errorf("%s:\n got %s %v\nwant %s %v", c.name, out, ptrs, c.want, c.ptrs)
		}
	}
}

func TestNoiseStderrAndArgv(t *testing.T) {
	r := newTestRedactor(t, RedactOptions{})
	if out, ptrs := r.Line([]byte("warning: ?token=abc used")); string(out) != "warning: ?token=[redacted] used" || !slices.Equal(ptrs, []string{""}) {
		t.Errorf("noise: %q %q", out, ptrs)
	}
	if out, ok := r.Text([]byte("\xff?token=abc \xfe")); string(out) != "\xff?token=[redacted] \xfe" || !ok {
		t.Errorf("bytes around: %q", out)
	}
	in := []string{"agent", "--api-key", "k", "--token=t", "-H", "Authorization: x", "plain", fake("sk-", alnum40)}
	out, idx := r.Argv(in)
	if strings.Join(out, "|") != "agent|--api-key|[redacted]|--token=[redacted]|-H|Authorization: [redacted]|plain|[redacted]" || !slices.Equal(idx, []int{2, 3, 5, 7}) {
		t.Errorf("argv: %q %v", out, idx)
	}
	if in[2] != "k" {
		t.Error("Argv changed what it was given")
	}
}

// What others take for a frame is walked as one, also where we keep the line as
// text to keep its bytes.
func TestInexactFrames(t *testing.T) {
	r := newTestRedactor(t, RedactOptions{Paths: []string{".params.mine"}})
	in := `{"method":"x","params":{"env":[{"name":"A","value":"v"}],"mine":"m"}}`
	want := `{"method":"x","params":{"env":[{"name":"A","value":"[redacted]"}],"mine":"[redacted]"}}`
	for _, around := range [][2]string{{" ", ""}, {"", " "}, {"\t", "\r"}, {"\ufeff", ""}, {" \ufeff ", " \r"}} {
		out, ptrs := r.Line([]byte(around[0] + in + around[1]))
		if string(out) != around[0]+want+around[1] || !slices.Equal(ptrs, []string{""}) {
			t.Errorf("%q: %q %q", around, out, ptrs)
		}
	}
	for in, want := range map[string]string{
		"{\"a\":\"\xff\",\"token\":\"t\xff\"}": "{\"a\":\"\xff\",\"token\":\"[redacted]\"}",
		" [1,2] ":                              " [1,2] ", "\t": "\t", " {\"token\":\"t\"": " {\"token\":\"[redacted]\"",
	} {
		if out, _ := r.Line([]byte(in)); string(out) != want {
			t.Errorf("%q: %q", in, out)
		}
	}
}

// Every counter that agents report on use and cost, of both versions and with
// the names that vendors give them, comes out as it went in.
func TestUsageCountersSurvive(t *testing.T) {
	r := newTestRedactor(t, RedactOptions{})
	for _, name := range []string{
		"inputTokens", "outputTokens", "totalTokens", "cachedReadTokens", "cachedWriteTokens", "thoughtTokens", "reasoningTokens",
		"input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "total_tokens", "token_count", "tokenCount",
		"promptTokenCount", "candidatesTokenCount", "totalTokenCount", "maxTokens", "contextTokens", "tokensPerSecond", "tokenLimit", "used", "size", "amount",
	} {
		for _, v := range []string{"17", `"17"`, "null", "0.25", `{"last":3,"total":"4"}`} {
			in := `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn","usage":{"` + name + `":` + v + `},"_meta":{"quota":{"` + name + `":` + v + `}}}}`
			if out, ptrs := r.Line([]byte(in)); string(out) != in || ptrs != nil {
				t.Errorf("%s: %s", in, out)
			}
		}
	}
}

func FuzzRedactor(f *testing.F) {
	for _, k := range keySamples() {
		f.Add([]byte(`{"jsonrpc":"2.0","method":"m","params":{"token":"x","a":["` + strings.ReplaceAll(k, "\n", `\n`) + `"]}}`))
		f.Add([]byte(k + " " + k))
	}
	f.Add([]byte(`{"env":[{"name":"a","value":"b"}],"headers":{"a":"b"},"x":"--token \u0061 ://a:b@c \"password\":\"x"}`))
	f.Add([]byte(`[{"method":"authenticate","params":{"a":["b"]}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := newTestRedactor(t, RedactOptions{})
		out, ptrs := r.Line(in)
		if len(ptrs) == 0 {
			if !bytes.Equal(out, in) {
				t.Fatalf("changed without a pointer: %q", out)
			}
			return
		}
		if !IsFrame(in) {
			return
		}
		if !IsFrame(out) {
			t.Fatalf("no frame any more: %q", out)
		}
		checkPlaces(t, in, out, ptrs)
		if again, more := r.Line(out); !bytes.Equal(again, out) && len(more) == 0 {
			t.Fatalf("second time: %q", again)
		}
	})
}

// checkPlaces says that both frames are the same but for the string values at
// the pointers.
func checkPlaces(t *testing.T, in, out []byte, ptrs []string) {
	t.Helper()
	strip := func(b []byte) string {
		w := &walker{b: b, child: func(rule, []byte) rule { return rulePlain }}
		w.leaf = func(w *walker, _ rule, _, _ []byte) ([]byte, bool) {
			return []byte("X"), slices.Contains(ptrs, w.pointer())
		}
		s, _ := w.run()
		return string(s)
	}
	if a, b := strip(in), strip(out); a != b {
		t.Fatalf("differ beside the places %q:\n%s\n%s", ptrs, a, b)
	}
}

func BenchmarkRedactOrdinaryFrame(b *testing.B) {
	r := newTestRedactor(b, RedactOptions{})
	line := []byte(sampleChunk)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		r.Line(line)
	}
}

func BenchmarkRedactSuspiciousFrame(b *testing.B) {
	r := newTestRedactor(b, RedactOptions{})
	line := []byte(strings.Replace(sampleChunk, "the parser", "the token parser", 1))
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		r.Line(line)
	}
}

func BenchmarkFinder(b *testing.B) {
	f := newFinder()
	line := []byte(strings.Repeat(sampleChunk, 100))
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		f.any(line)
	}
}

// Looking only where it is worth while finds all that looking everywhere finds.
func FuzzLook(f *testing.F) {
	for _, k := range keySamples() {
		f.Add([]byte(`{"a":"` + strings.ReplaceAll(k, "\n", `\n`) + `","b":"\n` + strings.ReplaceAll(k, "\n", `\n`) + `"}`))
	}
	f.Add([]byte(`{"a":"x\nAPI_KEY=b \t--token c","token":"d","e":"{\"secret\":\"f\"}","g":"http:\/\/a:b@c","h":["--pwd","i"]}`))
	f.Add([]byte(`{"envVars":{"a":"b"},"x_auth":"c","basicAuth":"d","dbPass":"e","k":"?key=f&sig=g","l":"Cookie: m"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if !IsFrame(in) {
			return
		}
		r := newTestRedactor(t, RedactOptions{})
		got, _ := r.Line(in)
		r.hits = r.hits[:0]
		for i := range in {
			r.hits = append(r.hits, i)
		}
		want, _ := r.frame(in)
		if !bytes.Equal(got, want) {
			t.Fatalf("in   %s\ngot  %s\nwant %s", in, got, want)
		}
	})
}
