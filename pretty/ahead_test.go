package pretty

import (
	"bytes"
	"testing"

	"github.com/acptool/acptool/wire"
)

func TestAheadShowsTheSame(t *testing.T) {
	var entries []wire.Entry
	for range 20 {
		entries = append(entries, script(t, "v1.script")...)
	}
	show := func(wrap func(Sink) Sink) string {
		var b bytes.Buffer
		s := wrap(NewLog(&b, LogOptions{Buffered: true}))
		for i, e := range entries {
			if i%97 == 0 {
				s.Begin(Connection{Name: "c"})
			}
			if i%150 == 0 {
				if err := s.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			s.Observe(e)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	plain := show(func(s Sink) Sink { return s })
	if ahead := show(func(s Sink) Sink { return NewAhead(s) }); ahead != plain {
		t.Errorf("%d bytes, %d without", len(ahead), len(plain))
	}
}
