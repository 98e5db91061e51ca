package replay

// manyMoves makes the moves of a connection with many workspaces: it finds those
// that concern a text without trying each.
type manyMoves struct {
	paths   []pathMove
	at      map[string]int // of the folder, in paths
	lengths []int          // of the folders
	begins  [256]bool      // bytes that folders begin with
}

func newManyMoves(paths []pathMove) *manyMoves {
	w := &manyMoves{paths: paths, at: map[string]int{}}
	known := map[int]bool{}
	for i, m := range paths {
		if m.old == "" {
			continue
		}
		if _, twice := w.at[m.old]; !twice {
			w.at[m.old] = i
		}
		if n := len(m.old); !known[n] {
			known[n] = true
			w.lengths = append(w.lengths, n)
		}
		w.begins[m.old[0]] = true
	}
	return w
}

// apply makes the moves in their order, as if each were tried.
func (w *manyMoves) apply(text string) string {
	for from := 0; ; from++ {
		if from = w.first(text, from); from < 0 {
			return text
		}
		text = w.paths[from].apply(text)
	}
}

// first is the first move, of those from an index on, whose folder occurs in
// text; -1 if there is none.
func (w *manyMoves) first(text string, from int) int {
	best := -1
	for i := range len(text) {
		if !w.begins[text[i]] {
			continue
		}
		for _, n := range w.lengths {
			if n > len(text)-i {
				continue
			}
			if k, ok := w.at[text[i:i+n]]; ok && k >= from && (best < 0 || k < best) {
				best = k
			}
		}
	}
	return best
}
