package record

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Each foreign format is told by its content and read as its golden file says.
func TestImporters(t *testing.T) {
	for name, source := range map[string]Source{
		"lines.jsonl": SourceJSONRPC, "acpx.stream.ndjson": SourceAcpx, "acpdbg.jsonl": SourceAcpdbg,
		"inspector.jsonl": SourceInspector, "devtools.json": SourceDevtools, "conductor.jsons": SourceConductor,
	} {
		in := fixture(t, name)
		all, r, err := readAll(t, bytes.NewReader(in))
		if err != nil || r.Source() != source {
			t.Errorf("%s: %v, source %q", name, err, r.Source())
			continue
		}
		got := showAll(all)
		if h := r.Header(); h != nil {
			got = "agent " + strings.Join(h.Agent, "|") + ", started " + h.Started.UTC().Format("2006-01-02T15:04:05.000") + "\n" + got
		}
		golden(t, name+".golden", got)
		// However the bytes come, the entries are the same.
		slow, _, err := readAll(t, iotest.OneByteReader(bytes.NewReader(in)))
		if err != nil || showAll(slow) != showAll(all) {
			t.Errorf("%s byte by byte: %v", name, err)
		}
		for n := range in {
			if _, _, err := readAll(t, bytes.NewReader(in[:n])); err != nil && n > 200 {
				t.Errorf("%s cut at %d: %v", name, n, err)
				break
			}
		}
	}
}

// An export on one line, as JSON.stringify without indent makes it.
func TestDevtoolsOnOneLine(t *testing.T) {
	in := fixture(t, "devtools.json")
	want, _, _ := readAll(t, bytes.NewReader(in))
	var one bytes.Buffer
	for _, l := range strings.Split(string(in), "\n") {
		one.WriteString(strings.TrimSpace(l))
	}
	all, r, err := readAll(t, &one)
	if err != nil || r.Source() != SourceDevtools {
		t.Fatal(err, r.Source())
	}
	if d := cmp.Diff(showAll(want), showAll(all)); d != "" {
		t.Error(d)
	}
}

// A batch of pretty-printed JSON-RPC is read too.
func TestPrettyPrintedLines(t *testing.T) {
	all, _, err := readAll(t, strings.NewReader("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"method\": \"initialize\"\n}\n{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := "0 0.000000 client msg {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n0 0.000000 agent msg {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
	if d := cmp.Diff(want, showAll(all)); d != "" {
		t.Error(d)
	}
}
