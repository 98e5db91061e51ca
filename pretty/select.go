package pretty

import "github.com/acptool/acptool/wire"

// Selection picks entries. A glob (* and ?, also across /) is compared with an
// entry's names: its method (a response has its request's), the kind of a
// session update, and the words request, response, notification, error, noise,
// malformed, stderr, eof, exit.
type Selection struct {
	Only    []string    // if any: one of them matches
	Except  []string    // none of them matches
	From    *wire.Party // only what this side sent
	Session string      // only what names this session, or answers what named it
}

// names are what globs are compared with; empty ones are not there.
type names struct {
	method, kind []byte
	words        [2]string
}

func (s *Selection) picksNames(n names) bool {
	if len(s.Only) > 0 && !anyGlob(s.Only, n) {
		return false
	}
	return len(s.Except) == 0 || !anyGlob(s.Except, n)
}

func (s *Selection) picksFrom(p wire.Party) bool { return s.From == nil || *s.From == p }

func (s *Selection) picksSession(id []byte) bool { return s.Session == "" || s.Session == string(id) }

func anyGlob(globs []string, n names) bool {
	for _, g := range globs {
		if len(n.method) > 0 && glob(g, n.method) || len(n.kind) > 0 && glob(g, n.kind) {
			return true
		}
		for _, w := range n.words {
			if w != "" && glob(g, w) {
				return true
			}
		}
	}
	return false
}

// EntryWords are the words that globs are compared with beside methods and kinds
// of updates.
func EntryWords() []string {
	return []string{"request", "response", "notification", "error", "noise", "malformed", "stderr", "eof", "exit"}
}

// Glob says whether a pattern of a selection matches a name.
func Glob(pattern, name string) bool { return glob(pattern, name) }

// glob matches a pattern of literal bytes, ? (any byte) and * (any bytes).
func glob[T string | []byte](pattern string, s T) bool {
	p, i := 0, 0
	star, mark := -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == s[i]):
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
