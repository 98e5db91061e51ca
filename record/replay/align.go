package replay

import "slices"

// match pairs the tokens of two sequences in order. Tokens of another kind are
// never paired.
func match(a, b []token) (pairs [][2]int, missing, extra []int) {
	same := func(i, j int) bool { return a[i].sig == b[j].sig && len(diff(a[i].value, b[j].value)) == 0 }
	lo := 0
	for lo < len(a) && lo < len(b) && same(lo, lo) {
		pairs = append(pairs, [2]int{lo, lo})
		lo++
	}
	x, y := len(a), len(b)
	var tail [][2]int
	for x > lo && y > lo && same(x-1, y-1) {
		x, y = x-1, y-1
		tail = append(tail, [2]int{x, y})
	}
	pairs = append(pairs, middle(a, b, lo, x, y)...)
	slices.Reverse(tail)
	pairs = append(pairs, tail...)
	i, j := 0, 0
	for _, p := range append(slices.Clone(pairs), [2]int{len(a), len(b)}) {
		for ; i < p[0]; i++ {
			missing = append(missing, i)
		}
		for ; j < p[1]; j++ {
			extra = append(extra, j)
		}
		i, j = p[0]+1, p[1]+1
	}
	return pairs, missing, extra
}

// middle pairs a[lo:x] with b[lo:y] so that the pairs are as like as can be.
func middle(a, b []token, lo, x, y int) (pairs [][2]int) {
	n, m := x-lo, y-lo
	const most = 1 << 22
	if n == 0 || m == 0 {
		return nil
	}
	if n*m > most { // too much for a table: the next one of the kind
		at := map[string][]int{}
		for k := lo; k < y; k++ {
			at[b[k].sig] = append(at[b[k].sig], k)
		}
		j := lo
		for i := lo; i < x; i++ {
			left := at[a[i].sig]
			for len(left) > 0 && left[0] < j {
				left = left[1:]
			}
			if len(left) > 0 {
				pairs = append(pairs, [2]int{i, left[0]})
				j = left[0] + 1
			}
			at[a[i].sig] = left
		}
		return pairs
	}
	table := make([]float32, (n+1)*(m+1))
	score := make([]float32, n*m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best := max(table[(i+1)*(m+1)+j], table[i*(m+1)+j+1])
			if a[lo+i].sig == b[lo+j].sig {
				s := 1 + float32(similarity(a[lo+i].value, b[lo+j].value))
				score[i*m+j] = s
				best = max(best, s+table[(i+1)*(m+1)+j+1])
			}
			table[i*(m+1)+j] = best
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		here := table[i*(m+1)+j]
		switch {
		case score[i*m+j] > 0 && here == score[i*m+j]+table[(i+1)*(m+1)+j+1]:
			pairs = append(pairs, [2]int{lo + i, lo + j})
			i, j = i+1, j+1
		case here == table[(i+1)*(m+1)+j]:
			i++
		default:
			j++
		}
	}
	return pairs
}
