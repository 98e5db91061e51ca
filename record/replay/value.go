package replay

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/acptool/acptool/record"
)

// value decodes JSON with the digits of numbers kept; nil for what is no JSON.
func value(raw []byte) any {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// normal is a request's params without what does not count when a live request
// is matched with a recorded one: _meta, who the client is and what it can, and
// where it works.
func normal(method string, params []byte) any {
	v := value(params)
	if o, ok := v.(map[string]any); ok {
		delete(o, "cwd")
		if method == "initialize" {
			for _, k := range []string{"clientInfo", "info", "clientCapabilities", "capabilities"} {
				delete(o, k)
			}
		}
	}
	return withoutMeta(v)
}

func withoutMeta(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "_meta")
		for _, m := range v {
			withoutMeta(m)
		}
	case []any:
		for _, m := range v {
			withoutMeta(m)
		}
	}
	return v
}

func keys(o map[string]any) []string { return slices.Sorted(maps.Keys(o)) }

// matchesRedacted says whether live could be the value that recorded was before
// something was taken out of it.
func matchesRedacted(recorded, live string) bool {
	parts := strings.Split(recorded, record.Redacted)
	if len(parts) == 1 || !strings.HasPrefix(live, parts[0]) {
		return false
	}
	live = live[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(live, p)
		if i < 0 {
			return false
		}
		live = live[i+len(p):]
	}
	return strings.HasSuffix(live, parts[len(parts)-1])
}

// sameNumber compares by value: 1, 1.0 and 1e0 are one number.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	if len(a) > 64 || len(b) > 64 || strings.ContainsAny(string(a+b), "eE") {
		x, errX := a.Float64()
		y, errY := b.Float64()
		return errX == nil && errY == nil && x == y
	}
	x, okX := new(big.Rat).SetString(string(a))
	y, okY := new(big.Rat).SetString(string(b))
	return okX && okY && x.Cmp(y) == 0
}

// similarity is 1 for equal values and 0 for values that have nothing in
// common. What was redacted in recorded is equal to anything.
func similarity(recorded, live any) float64 {
	switch r := recorded.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok {
			return 0
		}
		all := map[string]bool{}
		for k := range r {
			all[k] = true
		}
		for k := range l {
			all[k] = true
		}
		if len(all) == 0 {
			return 1
		}
		sum := 0.0
		for _, k := range slices.Sorted(maps.Keys(all)) {
			a, inR := r[k]
			b, inL := l[k]
			if inR && inL {
				sum += similarity(a, b)
			}
		}
		return sum / float64(len(all))
	case []any:
		l, ok := live.([]any)
		if !ok {
			return 0
		}
		n := max(len(r), len(l))
		if n == 0 {
			return 1
		}
		sum := 0.0
		for i := range min(len(r), len(l)) {
			sum += similarity(r[i], l[i])
		}
		return sum / float64(n)
	case string:
		l, ok := live.(string)
		switch {
		case r == record.Redacted:
			return 1
		case !ok:
			return 0
		case r == l || matchesRedacted(r, l):
			return 1
		}
		return textSimilarity(r, l)
	case json.Number:
		if l, ok := live.(json.Number); ok && sameNumber(r, l) {
			return 1
		}
		return 0
	}
	if recorded == live {
		return 1
	}
	return 0
}

// textSimilarity is the share of words that two texts have in common, below 1.
func textSimilarity(a, b string) float64 {
	const most = 1 << 16
	x, y := strings.Fields(a[:min(len(a), most)]), strings.Fields(b[:min(len(b), most)])
	if len(x)+len(y) == 0 {
		return 0
	}
	count := map[string]int{}
	for _, w := range x {
		count[w]++
	}
	common := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 0.99 * 2 * float64(common) / float64(len(x)+len(y))
}
