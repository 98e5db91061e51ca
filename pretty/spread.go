package pretty

import (
	"math"
	"slices"
	"time"
)

// spread keeps the distribution of durations in little memory: exactly as long
// as there are few, then in buckets of two per cent.
type spread struct {
	n       int
	max     time.Duration
	sum     time.Duration
	exact   []time.Duration
	buckets map[int]int
}

const (
	mostExact   = 1024
	bucketWidth = 1.02
)

func (s *spread) add(d time.Duration) {
	d = max(d, 0)
	s.n++
	s.sum += d
	s.max = max(s.max, d)
	if s.buckets == nil && len(s.exact) < mostExact {
		s.exact = append(s.exact, d)
		return
	}
	if s.buckets == nil {
		s.buckets = make(map[int]int)
		for _, e := range s.exact {
			s.buckets[bucketOf(e)]++
		}
		s.exact = nil
	}
	s.buckets[bucketOf(d)]++
}

func bucketOf(d time.Duration) int {
	if d < time.Microsecond {
		return 0
	}
	return 1 + int(math.Log(float64(d)/float64(time.Microsecond))/math.Log(bucketWidth))
}

// quantile is the smallest duration that at least the share q does not exceed.
func (s *spread) quantile(q float64) time.Duration {
	if s.n == 0 {
		return 0
	}
	rank := max(int(math.Ceil(q*float64(s.n))), 1)
	if s.buckets == nil {
		slices.Sort(s.exact)
		return s.exact[rank-1]
	}
	keys := make([]int, 0, len(s.buckets))
	for k := range s.buckets {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if rank -= s.buckets[k]; rank <= 0 {
			top := time.Duration(math.Pow(bucketWidth, float64(k)) * float64(time.Microsecond))
			return min(top, s.max)
		}
	}
	return s.max
}

// spreadJSON is a spread in milliseconds.
type spreadJSON struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

func (s *spread) json() *spreadJSON {
	if s.n == 0 {
		return nil
	}
	return &spreadJSON{millis(s.quantile(.5)), millis(s.quantile(.95)), millis(s.max)}
}

// millis is d in milliseconds, to the microsecond.
func millis(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}
