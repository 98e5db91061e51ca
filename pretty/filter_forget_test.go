package pretty

import (
	"fmt"
	"strings"
	"testing"
)

// Maps are used again for the next document; nothing of the one before is in
// them.
func TestDecodedMapsAreUsedAgainEmpty(t *testing.T) {
	var d decoder
	all := &want{all: true}
	first := d.decode([]byte(`{"a":{"b":1},"c":[{"d":2}]}`), all).(map[string]any)
	d.forget()
	second := d.decode([]byte(`{"x":{}}`), all).(map[string]any)
	if len(second) != 1 || len(second["x"].(map[string]any)) != 0 {
		t.Errorf("the second document is %v", second)
	}
	first["mark"] = true
	if second["mark"] != true {
		t.Error("the map of the first document was not used again")
	}
	doc := []byte(`{"a":{"b":1},"c":[{"d":{}}]}`)
	if n := testing.AllocsPerRun(100, func() { d.decode(doc, all); d.forget() }); n > 6 {
		t.Errorf("%v allocations for a document", n)
	}
}

// One document with very many objects, or very large ones, is not held on to.
func TestLargeDecodedMapsAreNotKept(t *testing.T) {
	var d decoder
	all := &want{all: true}
	var wide strings.Builder
	for i := range mostMembers + 1 {
		fmt.Fprintf(&wide, `,"k%d":{}`, i)
	}
	d.decode([]byte(`{"a":{}`+wide.String()+`}`), all)
	d.forget()
	for _, m := range d.maps {
		m["used"] = true
		if len(m) > 1 {
			t.Errorf("a map with %d members was kept", len(m))
		}
	}
	d.decode([]byte(`[`+strings.Repeat(`{},`, 2*mostMaps)+`{}]`), all)
	d.forget()
	if len(d.maps) != mostMaps {
		t.Errorf("%d maps are kept, at most %d may be", len(d.maps), mostMaps)
	}
}
