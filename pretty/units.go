package pretty

import (
	"strconv"
	"time"
)

// appendSize adds a number of bytes in decimal units, as disks and networks
// count: 312 B, 3.4 kB, 12 MB.
func appendSize(dst []byte, n int64) []byte {
	if n < 1000 {
		return append(strconv.AppendInt(dst, n, 10), " B"...)
	}
	v := float64(n)
	for _, unit := range [...]string{" kB", " MB", " GB"} {
		v /= 1000
		if v < 999.5 || unit == " GB" {
			return append(appendShort(dst, v), unit...)
		}
	}
	return dst
}

// appendShort adds v with one decimal below ten, else with none.
func appendShort(dst []byte, v float64) []byte {
	if v < 9.95 {
		return strconv.AppendFloat(dst, v, 'f', 1, 64)
	}
	return strconv.AppendFloat(dst, v, 'f', 0, 64)
}

// appendDuration adds a span of time as people read it: 0.4 ms, 120 ms, 1.20 s,
// 2m03s.
func appendDuration(dst []byte, d time.Duration) []byte {
	switch {
	case d < 0:
		return appendDuration(append(dst, '-'), -d)
	case d < 999_500*time.Microsecond:
		return append(appendShort(dst, float64(d)/float64(time.Millisecond)), " ms"...)
	case d < 59_995*time.Millisecond:
		return append(strconv.AppendFloat(dst, d.Seconds(), 'f', 2, 64), " s"...)
	}
	s := int64(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		dst = append(strconv.AppendInt(dst, s/3600, 10), 'h')
		return append(appendTwo(dst, s/60%60), 'm')
	}
	dst = append(strconv.AppendInt(dst, s/60, 10), 'm')
	return append(appendTwo(dst, s%60), 's')
}

func appendTwo(dst []byte, n int64) []byte {
	return append(dst, byte('0'+n/10%10), byte('0'+n%10))
}

// appendClock adds the time of day with milliseconds.
func appendClock(dst []byte, t time.Time) []byte {
	h, m, s := t.Clock()
	dst = append(appendTwo(dst, int64(h)), ':')
	dst = append(appendTwo(dst, int64(m)), ':')
	dst = append(appendTwo(dst, int64(s)), '.')
	ms := int64(t.Nanosecond() / 1e6)
	return appendTwo(append(dst, byte('0'+ms/100)), ms%100)
}

// appendSeconds adds d as seconds with milliseconds, at least nine wide.
func appendSeconds(dst []byte, d time.Duration) []byte {
	var b [24]byte
	n := strconv.AppendFloat(b[:0], d.Seconds(), 'f', 3, 64)
	for i := len(n); i < 9; i++ {
		dst = append(dst, ' ')
	}
	return append(dst, n...)
}

// money is an amount as people read it. What adding up binary fractions has
// left at its end (0.0024000000000000002) is rounded away, other numbers stay
// as they came.
func money(raw []byte) []byte {
	if len(raw) < 16 {
		return raw
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return raw
	}
	return strconv.AppendFloat(nil, v, 'g', 12, 64)
}
