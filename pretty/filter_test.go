package pretty

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// filtered runs a filter over documents and returns what it wrote.
func filtered(t *testing.T, source string, o FilterOptions, docs ...string) (out, errs string, f *Filter, err error) {
	t.Helper()
	var a, b bytes.Buffer
	o.Out, o.Err = &a, &b
	f, err = CompileFilter(source, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err = f.Apply([]byte(d), Vars{}); err != nil {
			break
		}
	}
	return a.String(), b.String(), f, err
}

func TestFilterOutput(t *testing.T) {
	terminal := Screen{Terminal: true}
	for _, c := range []struct {
		name, source, doc, want string
		o                       FilterOptions
	}{
		{"compact in a pipe", ".", `{"b": [1, 2], "a":"x"}`, `{"a":"x","b":[1,2]}` + "\n", FilterOptions{}},
		{"pretty on a terminal", ".", `{"b":[1],"a":{}}`, "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}\n", FilterOptions{Screen: terminal}},
		{"-c on a terminal", ".", `{"b":[1]}`, `{"b":[1]}` + "\n", FilterOptions{Screen: terminal, Compact: true}},
		{"-r", ".a", `{"a":"x\n\u001b[1m"}`, "x\n\x1b[1m\n", FilterOptions{Raw: true}},
		{"-r on a terminal", ".a", `{"a":"x\u001b[1m"}`, `x\e[1m` + "\n", FilterOptions{Raw: true, Screen: terminal}},
		{"digits", ".", `[1.50,12345678901234567890,1e2,-0,0.1000]`, `[1.50,12345678901234567890,1e2,-0,0.1000]` + "\n", FilterOptions{}},
		{"--arg", `.a == $x`, `{"a":"1"}`, "true\n", FilterOptions{Args: []NamedArg{{Name: "x", Value: "1"}}}},
		{"--argjson", `$x.n + 1`, `null`, "42\n", FilterOptions{Args: []NamedArg{{Name: "x", Value: `{"n":41}`, JSON: true}}}},
		{"$ENV", `$ENV.A, env.B`, `null`, "\"1\"\nnull\n", FilterOptions{Environ: func() []string { return []string{"A=1"} }}},
		{"no variables", `[$from,$t,$method,$ms,$session]`, `null`, "[null,null,null,null,null]\n", FilterOptions{}},
		{"several results", `.[]`, `[1,"a",null]`, "1\n\"a\"\nnull\n", FilterOptions{}},
		{"last of equal keys", `.a`, `{"a":1,"a":2}`, "2\n", FilterOptions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, _, err := filtered(t, c.source, c.o, c.doc)
			if err != nil || errs != "" || out != c.want {
				t.Errorf("got %q, want %q (errors %q, %v)", out, c.want, errs, err)
			}
		})
	}
}

func TestFilterErrorsOfSingleInputsAreReportedAndCounted(t *testing.T) {
	out, errs, f, err := filtered(t, `.a.b`, FilterOptions{}, `{"a":{"b":1}}`, `{"a":"text"}`, `nonsense`, `{"a":{"b":3}}`)
	if err != nil || out != "1\n3\n" || f.Failed() != 2 {
		t.Errorf("out %q, failed %d, %v", out, f.Failed(), err)
	}
	want := "acptool: error: jq: expected an object but got: string (\"text\")\nacptool: error: jq: the input is not JSON\n"
	if errs != want {
		t.Errorf("errors %q, want %q", errs, want)
	}
}

func TestFilterInputAfterTheLast(t *testing.T) {
	if _, errs, _, err := filtered(t, `input`, FilterOptions{}, `1`); err != nil || errs != "acptool: error: jq: no more inputs\n" {
		t.Errorf("errors %q, %v", errs, err)
	}
}

func TestFilterExitStatus(t *testing.T) {
	for _, c := range []struct {
		source, doc string
		want        bool
	}{
		{".", "1", true}, {".", "false", false}, {".", "null", false}, {"empty", "1", false}, {"1, null", "1", false},
		{".a? // empty", `{"a":false}`, false}, {".a? // empty", `{"a":0}`, true},
	} {
		if _, _, f, _ := filtered(t, c.source, FilterOptions{}, c.doc); f.Truthy() != c.want {
			t.Errorf("%s on %s: %v", c.source, c.doc, f.Truthy())
		}
	}
}

func TestFilterHalts(t *testing.T) {
	for _, c := range []struct {
		source, out, errs string
		status            int
	}{
		{`1, halt, 2`, "1\n", "", 0},
		{`1, ("bye\n" | halt_error), 2`, "1\n", "bye\n", 1},
		{`{"a":1} | halt_error`, "", "{\"a\":1}\n", 1},
	} {
		out, errs, _, err := filtered(t, c.source, FilterOptions{}, "null", "null")
		var halt *HaltError
		if !errors.As(err, &halt) || halt.Status != c.status || out != c.out || errs != c.errs {
			t.Errorf("%s: out %q, errors %q, %v", c.source, out, errs, err)
		}
	}
}

func TestFilterDebugKeepsTheOrder(t *testing.T) {
	var both bytes.Buffer
	f, err := CompileFilter(`1, (2 | debug), ("x" | stderr)`, FilterOptions{Out: &both, Err: &both})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Apply([]byte("null"), Vars{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(both.String(), `["DEBUG:",2]`+"\n") || !strings.Contains(both.String(), `"x"`) {
		t.Errorf("%q", both.String())
	}
}

func TestBadFilterShowsTheCaret(t *testing.T) {
	for _, c := range []struct{ source, message, line, caret string }{
		{`.a | | .b`, `unexpected token "|"`, `.a | | .b`, `     ^`},
		{`.a[`, `unexpected EOF`, `.a[`, `   ^`},
		{".a |\n  .b )", `unexpected token ")"`, `  .b )`, `     ^`},
		{`.a | frobnicate(1)`, `function not defined: frobnicate/1`, `.a | frobnicate(1)`, `     ^`},
		{`.x | select($nope)`, `variable not defined: $nope`, `.x | select($nope)`, `            ^`},
		{`"äö" | | 1`, `unexpected token "|"`, `"äö" | | 1`, `       ^`},
	} {
		_, err := CompileFilter(c.source, FilterOptions{})
		var bad *FilterError
		if !errors.As(err, &bad) || bad.Message != c.message || !slices.Equal(bad.Caret(), []string{c.line, c.caret}) {
			t.Errorf("%s gives %v, %q", c.source, err, bad.Caret())
		}
	}
	for _, a := range []NamedArg{{Name: "x y"}, {Name: "t"}, {Name: "x", Value: "{", JSON: true}} {
		if _, err := CompileFilter(".", FilterOptions{Args: []NamedArg{a}}); err == nil {
			t.Errorf("%+v is accepted", a)
		}
	}
}

// streamed runs a filter over a script's connection.
func streamed(t *testing.T, source string, raw bool, so StreamOptions, entries []wire.Entry) (out, errs string) {
	t.Helper()
	var a, b bytes.Buffer
	f, err := CompileFilter(source, FilterOptions{Out: &a, Err: &b, Raw: raw})
	if err != nil {
		t.Fatal(err)
	}
	s := NewFilterStream(f, so)
	s.Begin(Connection{})
	for _, e := range entries {
		s.Observe(e)
	}
	var halt *HaltError
	if err := s.Close(); err != nil && !errors.As(err, &halt) {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

func TestFilterVariables(t *testing.T) {
	out, _ := streamed(t, `select($ms) | "\($from) \($t) \($method) \($ms) \($session)"`, true, StreamOptions{}, script(t, "v1.script"))
	want := `agent 0.412 initialize 412 null
agent 0.65 session/new 150 sess-0000000000000000000001
client 3.71 session/request_permission 2000 sess-0000000000000000000001
client 3.721 fs/read_text_file 1 sess-0000000000000000000001
client 3.811 fs/write_text_file 1 sess-0000000000000000000001
agent 4 session/prompt 3000 sess-0000000000000000000001
`
	if out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

func TestFilterStreamSelects(t *testing.T) {
	agent := wire.Agent
	entries := script(t, "v1.script")
	for _, c := range []struct {
		source string
		o      StreamOptions
		want   string
	}{
		{".sessionUpdate", StreamOptions{Updates: true, Select: Selection{Only: []string{"tool_*"}}}, "\"tool_call\"\n\"tool_call_update\"\n"},
		{".method", StreamOptions{Select: Selection{From: &agent, Only: []string{"request"}}}, "\"session/request_permission\"\n\"fs/read_text_file\"\n\"fs/write_text_file\"\n"},
		{".params.n // empty", StreamOptions{}, "1\n2\n"},
		{"[., inputs] | length", StreamOptions{}, "29\n"},
		{"input | .id", StreamOptions{Select: Selection{Only: []string{"initialize"}}}, "0\n"},
		{"if .id == 1 then halt else .id end", StreamOptions{}, "0\n0\n"},
		{"input_line_number", StreamOptions{Select: Selection{Only: []string{"session/new"}}}, "3\n4\n"},
	} {
		for _, workers := range []int{0, 3} {
			c.o.Workers = workers
			if out, errs := streamed(t, c.source, false, c.o, entries); out != c.want || errs != "" {
				t.Errorf("%s (%d workers): got %q, want %q (errors %q)", c.source, workers, out, c.want, errs)
			}
		}
	}
}

// Results of several workers come in the order of the inputs, with errors at
// their places, and nothing comes after a halt.
func TestFilterPoolKeepsTheOrder(t *testing.T) {
	var entries []wire.Entry
	for i := range 20000 {
		doc := `{"jsonrpc":"2.0","method":"m","params":{"i":` + string(appendInt(nil, i)) + `}}`
		if i%5000 == 17 {
			doc = `{"jsonrpc":"2.0","method":"m","params":"none"}`
		}
		entries = append(entries, wire.Entry{Data: []byte(doc)})
	}
	for _, source := range []string{".params.i", ".params.i?", "[.params.i]", "if .params.i == 12345 then halt else .params.i end"} {
		one, oneErrs := streamed(t, source, false, StreamOptions{}, entries)
		many, manyErrs := streamed(t, source, false, StreamOptions{Workers: 4}, entries)
		if one != many || oneErrs != manyErrs {
			t.Errorf("%s: %d and %d bytes, errors %q and %q", source, len(one), len(many), oneErrs, manyErrs)
		}
	}
}

func TestFilterStreamEndsWhenTheOutputFails(t *testing.T) {
	for _, source := range []string{".", "., inputs"} {
		for _, workers := range []int{0, 2} {
			r, w := io.Pipe()
			r.Close()
			f, err := CompileFilter(source, FilterOptions{Out: w})
			if err != nil {
				t.Fatal(err)
			}
			s := NewFilterStream(f, StreamOptions{Workers: workers})
			for range 5000 {
				s.Observe(wire.Entry{Data: []byte(`{"jsonrpc":"2.0","method":"m"}`)})
			}
			if err := s.Close(); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s: %v", source, err)
			}
		}
	}
}

func TestDecodeIsEncodingJSONs(t *testing.T) {
	for _, doc := range filterDocs {
		sameDecoded(t, []byte(doc))
	}
}

func sameDecoded(t *testing.T, doc []byte) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if got := decodeAll(doc); !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngives %#v\nwant  %#v", doc, got, want)
	}
}

// simpleFilters exercise every way in which a filter is run: on bytes, with a
// projection, with all of the input.
var simpleFilters = []string{
	`.`, `.a`, `.a?`, `.a.b`, `.a.b?`, `.a?.b`, `.a?.b?`, `.a // empty`, `.a.b? // empty`, `.a // "none"`, `.a.b? // "none"`, `.a?.b? // "none"`, `."a"`, `.["a"]`, `.a["b"]`,
	`select(.a)`, `select(.a == "x")`, `select(.a != "x") | .b`, `select(.a == null)`, `select(.a.b? == "x")`,
	`select(.a and .b) | .b`, `select(.a or .b)`, `select(.a | not)`, `select((.a.b? | not) or .b)`, `select($from == "agent") | .a`,
	`select($method == null and .a == true)`, `select("x" == .a)`, `.a | select(.b == "x") | .b`, `.a | .b | select(.)`, `select(.a.b)`,
	`.a[]`, `.a[]?`, `.a[]?.b?`, `.[]`, `.[]?`, `.[] | .a?`, `.a[0]?`, `.a[1:]?`, `.[0]?, .a?`, `.a.b as $x | .a, $x`, `{a}`, `{a, b: .b?}`, `{"a"}`, `{(.a|tostring): .b}`, `[.a?, .b?]`,
	`"\(.a) and \(.b)"`, `@json`, `@base64 "x\(.a)"`, `if .a then .b else empty end`, `if .a == "x" then .b end`, `.a | length`, `.a | type`, `keys?`, `has("a")?`,
	`try .a.b catch .`, `try error(.a) catch .`, `.. | .a?`, `map(.a?)?`, `map(.b)`, `[.[]? | select(.a?)]`, `.a = 1`, `.a |= 2`, `del(.a)?`, `to_entries?`, `.a + .b`, `.a == .b`, `.a < .b`, `-.a?`,
	`def select(f): .b; select(.a)`, `reduce .[]? as $x (0; . + 1)`, `label $out | .a, break $out`, `. as {a: $x} | $x`, `. as [$x] | $x`, `path(..)`, `first(.a, .b)`, `limit(1; .[]?)`, `.a, .b`, `.a as [$p, {b: $q}] ?// $p | $p`, `not`, `.a | not`,
	`.a.b.c? // .a`, `(.a, .b) // "none"`, `[.a[]? | {b}]`, `getpath(["a","b"])?`, `tojson`, `.a.b | values`, `input_line_number`, `(.a | .b?) // empty`, `.a.b.c // empty`,
}

var filterDocs = []string{
	`{}`, `[]`, `null`, `true`, `"x"`, `1.50`, `{"a":"x","b":"y"}`, `{"a":{"b":"x","c":1},"b":[1,{"a":2}]}`, `{"a":[{"b":1},{"b":null},3],"b":false}`,
	`{"a":false,"b":0}`, `{"a":null}`, `{"a":{"b":{"c":"deep"}},"a":{"b":"last"}}`, `[{"a":1},{"a":{"b":"x"}},"s",null]`, ` { "a" : [ ] , "b" : { } } `,
	`{"a":"é\ud83d\ude00\ud83d\u0000\u007f","b":"\\\"\/\b"}`, `{"\u0061":"escaped key"}`, `{"a":1e400,"b":-0}`, `{"a":12345678901234567890,"b":1.0}`, "{\"a\":\"\xff\"}",
}

// pair is a filter as it is meant to be run, and one that decodes everything.
type pair struct {
	source string
	f      [2]*Filter
	out    [2]bytes.Buffer
}

func newPair(source string, raw bool) (*pair, error) {
	p := &pair{source: source}
	for i := range p.f {
		var err error
		if p.f[i], err = CompileFilter(source, FilterOptions{Out: &p.out[i], Err: &p.out[i], Raw: raw}); err != nil {
			return nil, err
		}
	}
	p.f[1].prog.native, p.f[1].prog.want = nil, &want{all: true}
	return p, nil
}

func (p *pair) same(t *testing.T, doc []byte) {
	t.Helper()
	var got [2]string
	for i, f := range p.f {
		p.out[i].Reset()
		f.eval.output = output{}
		if err := f.Apply(doc, Vars{From: "agent", T: 1500 * time.Millisecond, Timed: true, Line: 7}); err != nil {
			p.out[i].WriteString(err.Error())
		}
		if f.Truthy() {
			p.out[i].WriteString("truthy")
		}
		got[i] = p.out[i].String()
	}
	if got[0] != got[1] {
		t.Errorf("%s on %s\ngives %q\nwant  %q", p.source, doc, got[0], got[1])
	}
}

func TestFilterShortcutsChangeNothing(t *testing.T) {
	for _, source := range simpleFilters {
		for _, raw := range []bool{false, true} {
			p, err := newPair(source, raw)
			if err != nil {
				t.Fatalf("%s: %v", source, err)
			}
			for _, doc := range filterDocs {
				p.same(t, []byte(doc))
			}
		}
	}
}

func FuzzFilterShortcuts(f *testing.F) {
	for i, source := range simpleFilters {
		f.Add(source, []byte(filterDocs[i%len(filterDocs)]))
	}
	f.Fuzz(func(t *testing.T, source string, doc []byte) {
		if !json.Valid(doc) || len(doc) > 1000 || len(source) > 200 {
			return
		}
		sameDecoded(t, doc)
		for _, bad := range []string{"now", "input", "repeat", "range", "recurse", "while", "until", "limit", "def", "localtime", "mktime", "*", "foreach", "reduce", "debug", "stderr", "$ENV", "env", "combinations", "ltrimstr"} {
			if strings.Contains(source, bad) { // may not end, or not give the same twice
				return
			}
		}
		for _, raw := range []bool{false, true} {
			if p, err := newPair(source, raw); err == nil {
				p.same(t, doc)
			}
		}
	})
}

func BenchmarkFilter(b *testing.B) {
	entries, size := benchEntries(b)
	for _, c := range []struct {
		name, source string
		workers      int
	}{
		{"native", ".params.update.content.text? // empty", 0},
		{"native-2", ".params.update.content.text? // empty", 2},
		{"projected", ".params.update | select(.sessionUpdate | test(\"chunk\")?) | .content.text?", 0},
		{"projected-2", ".params.update | select(.sessionUpdate | test(\"chunk\")?) | .content.text?", 2},
		{"whole", ".", 0},
		{"whole-2", ".", 2},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				f, err := CompileFilter(c.source, FilterOptions{Out: io.Discard, Raw: true})
				if err != nil {
					b.Fatal(err)
				}
				s := NewFilterStream(f, StreamOptions{Workers: c.workers})
				for _, e := range entries {
					s.Frame(e)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
