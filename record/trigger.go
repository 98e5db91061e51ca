package record

import "encoding/binary"

// trigger is a literal that must stand near a secret, and what to do there.
type trigger struct {
	text  string // in lower case, three bytes at least; found in any case
	match matcher
	worth worth
}

// worth says whether a place in a frame, as it is written there, is worth a
// look at what is around it. It may say yes too often, but never no where match
// finds something in the decoded string.
type worth func(line []byte, at int) bool

// finder looks for all triggers at once. It looks at three bytes from every
// second place only; each trigger is known by two windows that follow one
// another, of which one begins at such a place. The bytes' low five bits (in
// which small letters are as capitals) tell whether a trigger can stand there;
// few places remain to be compared. One load serves three places.
type finder struct {
	may [1 << (hashBits - 6)]uint64 // a bit for each hash that a window has
	at  map[uint32][]window
}

// window is three bytes of a trigger. Those of a trigger of three bytes reach
// over its end or its beginning, where any byte can stand.
type window struct {
	*trigger
	at int // where in the trigger's text it begins: -1 to len-2
}

const (
	hashBits = 16
	lowFive  = 0x1f1f1f
)

// hash3 is another number for each low five bits of three bytes: the factor was
// found by trying.
func hash3(v uint32) uint32 { return (v & lowFive) * 0xb2b77a73 >> (32 - hashBits) }

func newFinder() *finder {
	var list []trigger
	add := func(m matcher, w worth, texts ...string) {
		for _, t := range texts {
			list = append(list, trigger{text: t, match: m, worth: w})
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
	add(matchTelegram, worthTelegram, ":aa")
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
	f := &finder{at: map[uint32][]window{}}
	for i := range list {
		t := &list[i]
		first := rarest(t.text)
		f.add(window{t, first})
		f.add(window{t, first + 1})
	}
	return f
}

// add makes a window known, for each byte that can stand where the trigger has
// none.
func (d *finder) add(w window) {
	for free := range byte(lowFive&0xff + 1) {
		var v uint32
		wild := false
		for k := range 3 {
			c := free
			if i := w.at + k; i >= 0 && i < len(w.text) {
				c = w.text[i]
			} else {
				wild = true
			}
			v |= uint32(c) << (8 * k)
		}
		h := hash3(v)
		if known := d.at[h]; len(known) == 0 || known[len(known)-1] != w {
			d.may[h/64] |= 1 << (h % 64)
			d.at[h] = append(known, w)
		}
		if !wild {
			return
		}
	}
}

// rarest returns where in t the first of the two windows stands that ordinary
// text holds least often.
func rarest(t string) int {
	// How often letters stand in English text and code, in thousandths.
	common := func(i int) int {
		if i < 0 || i >= len(t) {
			return 1000
		}
		switch t[i] {
		case 'e', 't', 'a', 'o', 'i', 'n', 's', 'r', '/', '.': // as o and n
			return 80
		case 'h', 'l', 'd', 'c', 'u', 'm', ' ', '"', '-': // as m
			return 40
		case 'p', 'f', 'g', 'w', 'y', 'b', ':':
			return 20
		}
		return 5
	}
	often := func(i int) int { return common(i) * common(i+1) * common(i+2) }
	from, to := 0, len(t)-4
	if len(t) == 3 {
		from, to = -1, 0
	}
	best := from
	for i := from; i <= to; i++ {
		if often(i)+often(i+1) < often(best)+often(best+1) {
			best = i
		}
	}
	return best
}

// each calls f for every trigger that stands in text, until f returns false.
func (d *finder) each(text []byte, f func(at int, t *trigger) bool) {
	may := &d.may
	i := 0
	for ; i+8 <= len(text); i += 6 {
		v := binary.LittleEndian.Uint64(text[i:])
		x, y, z := hash3(uint32(v)), hash3(uint32(v>>16)), hash3(uint32(v>>32))
		if (may[x/64]>>(x%64)|may[y/64]>>(y%64)|may[z/64]>>(z%64))&1 == 0 {
			continue
		}
		for k := range 3 {
			if !d.here(text, i+2*k, uint32(v>>(16*k)), f) {
				return
			}
		}
	}
	var tail [16]byte // a window may reach over the end
	copy(tail[:], text[i:])
	for k := 0; i+k < len(text); k += 2 {
		if !d.here(text, i+k, binary.LittleEndian.Uint32(tail[k:]), f) {
			return
		}
	}
}

// here calls f for the triggers that have a window at text[i], which v holds.
func (d *finder) here(text []byte, i int, v uint32, f func(at int, t *trigger) bool) bool {
	h := hash3(v)
	if d.may[h/64]>>(h%64)&1 == 0 {
		return true
	}
	for _, w := range d.at[h] {
		if at := i - w.at; at >= 0 && hasFold(text[at:], w.text) && !f(at, w.trigger) {
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
