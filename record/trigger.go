package record

import "encoding/binary"

// trigger is a literal that must stand near a secret, and what to do there.
type trigger struct {
	text  string // in lower case; found in any case
	at    int    // where in text its rarest three bytes stand
	match matcher
	worth worth
}

// worth says whether a place in a frame, as it is written there, is worth a
// look at what is around it. It may say yes too often, but never no where match
// finds something in the decoded string.
type worth func(line []byte, at int) bool

// finder looks for all triggers at once. A hash of three bytes in a row, of
// their low five bits (in which small letters are as capitals), tells whether a
// trigger can stand there; few places remain to be compared. One load serves
// six places.
type finder struct {
	may [1 << hashBits]uint8 // 1 where a trigger has this hash
	at  map[uint32][]trigger
}

const (
	hashBits = 14
	lowFive  = 0x1f1f1f
)

func hash3(v uint32) uint32 { return (v & lowFive) * 0x9e3779b1 >> (32 - hashBits) }

func hashOf(x, y, z byte) uint32 { return hash3(uint32(x) | uint32(y)<<8 | uint32(z)<<16) }

func newFinder() *finder {
	var list []trigger
	add := func(m matcher, w worth, texts ...string) {
		for _, t := range texts {
			list = append(list, trigger{text: t, at: rarest(t), match: m, worth: w})
		}
	}
	always := func([]byte, int) bool { return true }
	for _, k := range keyShapes() {
		add(k.match, worthAShape(k.match), k.prefix)
	}
	add(matchJWT, worthAShape(matchJWT), "eyj")
	add(matchPEM, always, "-----begin ")
	add(matchBearer, worthAShape(matchBearer), "bearer ")
	add(matchUserinfo, worthUserinfo, "://")
	add(matchTelegram, worthAShape(matchTelegram), ":aa")
	add(matchName, worthAName, "token", "secret", "passw", "passphrase", "passcode", "credential", "cookie", "authoriz", "jwt", "pwd",
		"verifier", "_auth", "-auth", "basicauth", "httpauth", "authcode", "auth_code", "auth-code",
		"connectionstring", "connection_string", "connection-string", "connection string",
		"_pass", "-pass", "?key=", "&key=", "?sig", "&sig", "?auth=", "&auth=", "-signature=", "-credential=", "bearer")
	for _, w := range []string{"api", "access", "private", "signing", "encryption", "auth", "master", "app", "subscription"} {
		for _, sep := range []string{"", "_", "-"} {
			add(matchName, worthAName, w+sep+"key")
		}
	}
	// Members whose values are not strings by name, but must be walked.
	add(nil, always, `"env"`, `"headers"`, `"environment`, `"envvars"`, `"env_vars"`, `"httpheaders"`, `"http_headers"`,
		`"authenticate"`, "auth/login", `auth\/login`, `pass"`, `auth"`)
	return buildFinder(list)
}

func buildFinder(list []trigger) *finder {
	f := &finder{at: map[uint32][]trigger{}}
	for _, t := range list {
		h := hashOf(t.text[t.at], t.text[t.at+1], t.text[t.at+2])
		f.may[h] = 1
		f.at[h] = append(f.at[h], t)
	}
	return f
}

// rarest returns the place in t of the three bytes that ordinary text holds
// least often.
func rarest(t string) int {
	// How often letters stand in English text and code, in thousandths.
	common := func(c byte) int {
		switch c {
		case 'e', 't', 'a', 'o', 'i', 'n', 's', 'r':
			return 80
		case 'h', 'l', 'd', 'c', 'u', 'm', ' ', '"':
			return 40
		case 'p', 'f', 'g', 'w', 'y', 'b', '-', ':', '/':
			return 20
		}
		return 5
	}
	best, at := 1<<62, 0
	for i := 0; i+3 <= len(t); i++ {
		if n := common(t[i]) * common(t[i+1]) * common(t[i+2]); n < best {
			best, at = n, i
		}
	}
	return at
}

// each calls f for every trigger that stands in text, until f returns false.
func (d *finder) each(text []byte, f func(at int, t *trigger) bool) {
	may := &d.may
	i := 0
	for ; i+8 <= len(text); i += 6 {
		v := binary.LittleEndian.Uint64(text[i:])
		if may[hash3(uint32(v))]|may[hash3(uint32(v>>8))]|may[hash3(uint32(v>>16))]|
			may[hash3(uint32(v>>24))]|may[hash3(uint32(v>>32))]|may[hash3(uint32(v>>40))] == 0 {
			continue
		}
		for k := i; k < i+6; k++ {
			if !d.here(text, k, f) {
				return
			}
		}
	}
	for ; i+3 <= len(text); i++ {
		if !d.here(text, i, f) {
			return
		}
	}
}

// here calls f for the triggers whose three bytes stand at text[i].
func (d *finder) here(text []byte, i int, f func(at int, t *trigger) bool) bool {
	h := hashOf(text[i], text[i+1], text[i+2])
	if d.may[h] == 0 {
		return true
	}
	group := d.at[h]
	for k := range group {
		t := &group[k]
		if at := i - t.at; at >= 0 && hasFold(text[at:], t.text) && !f(at, t) {
			return false
		}
	}
	return true
}

// any says whether any trigger stands in text.
func (d *finder) any(text []byte) bool {
	found := false
	d.each(text, func(int, *trigger) bool { found = true; return false })
	return found
}

// hasFold says whether text begins with low, which is in lower case.
func hasFold(text []byte, low string) bool {
	if len(text) < len(low) {
		return false
	}
	for i := range len(low) {
		c := text[i]
		if isUpper(c) {
			c += 'a' - 'A'
		}
		if c != low[i] {
			return false
		}
	}
	return true
}
