package pretty

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// FilterOptions are what a filter needs besides its text.
type FilterOptions struct {
	Out    io.Writer // results, one document a line
	Err    io.Writer // debug, stderr and errors of single inputs
	Screen Screen    // of Out: indented and coloured there

	Raw       bool // -r: strings as they are
	Compact   bool // -c: on one line, also on a terminal
	Args      []NamedArg
	Environ   func() []string // $ENV; nil: empty
	ErrPrefix string          // before an error of a single input, "acptool: error: " if empty
}

// NamedArg is a variable from --arg (Value is a string) or --argjson (JSON).
type NamedArg struct {
	Name  string
	Value string
	JSON  bool
}

// Vars are the variables that go with one input. What is not set is null.
type Vars struct {
	From    string        // $from
	T       time.Duration // $t, in seconds
	Timed   bool          // T is known
	Method  string        // $method
	Latency time.Duration // $ms, in milliseconds
	Answers bool          // Latency is known
	Session string        // $session
	File    string        // input_filename
	Line    int           // input_line_number
}

// FilterError says what is wrong with a filter: a usage error.
type FilterError struct {
	Source  string
	Offset  int // byte where it goes wrong, len(Source) for the end, -1 if not known
	Message string
}

func (e *FilterError) Error() string { return "bad filter: " + e.Message }

// Caret is the line of the filter where it goes wrong, and a line with a caret
// under the place; nil if the place is not known.
func (e *FilterError) Caret() []string {
	if e.Offset < 0 || e.Offset > len(e.Source) || e.Source == "" {
		return nil
	}
	start := strings.LastIndexByte(e.Source[:e.Offset], '\n') + 1
	line, _, _ := strings.Cut(e.Source[start:], "\n")
	before := 0
	for _, r := range e.Source[start:e.Offset] {
		before += columnsOf(r)
	}
	return []string{strings.ReplaceAll(line, "\t", " "), strings.Repeat(" ", before) + "^"}
}

// HaltError is returned when the filter said halt or halt_error: the stream
// ends here. Status is 0 for halt, 1 for halt_error.
type HaltError struct{ Status int }

func (e *HaltError) Error() string { return "the filter halted" }

// program is a compiled filter with what is known of it. Nothing in it changes,
// so that several goroutines can run it.
type program struct {
	code   *gojq.Code
	native *native // nil: not of the simple kind that needs no decoding
	want   *want   // what of an input the filter can see; all of it if want.all
	args   []any   // values of --arg and --argjson

	usesVars   bool // $from, $t, $method, $ms or $session
	usesFrames bool // $method, $ms or $session, for which frames have to be looked at
	sideways   bool // writes or reads beside its input and output: debug, stderr, input
	pulls      bool // input, inputs
	o          FilterOptions
}

// builtinVariables come before those of --arg, in this order.
func builtinVariables() []string {
	return []string{"$from", "$t", "$method", "$ms", "$session", "$__file", "$__line"}
}

// Filter is a compiled jq filter that writes its results.
type Filter struct {
	prog *program
	eval *evaluator
	in   *inputs
}

// CompileFilter compiles source once. A bad one, and a bad --arg or --argjson,
// gives a *FilterError.
func CompileFilter(source string, o FilterOptions) (*Filter, error) {
	if o.Err == nil {
		o.Err = io.Discard
	}
	if o.ErrPrefix == "" {
		o.ErrPrefix = "acptool: error: "
	}
	query, err := gojq.Parse(source)
	if err != nil {
		return nil, parseError(source, err)
	}
	p := &program{o: o}
	names := builtinVariables()
	for _, a := range o.Args {
		name, value, err := a.variable(names)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		p.args = append(p.args, value)
	}
	p.usesFrames = mentions(source, `\$method`, `\$ms`, `\$session`)
	p.usesVars = p.usesFrames || mentions(source, `\$from`, `\$t`, `\$__file`, `\$__line`, `input_filename`, `input_line_number`)
	p.pulls = mentions(source, `inputs?`)
	p.sideways = p.pulls || mentions(source, `debug`, `stderr`)
	// Before compiling, which takes the query apart.
	p.native = findNative(query)
	if p.want = findWant(query); p.pulls {
		p.want = &want{all: true} // input gives it documents at any place
	}

	places := make([]*gojq.FuncDef, 0, 2+len(query.FuncDefs))
	for _, f := range [...][2]string{{"input_filename", "$__file"}, {"input_line_number", "$__line"}} {
		places = append(places, &gojq.FuncDef{Name: f[0], Body: &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: f[1]}}}})
	}
	query.FuncDefs = append(places, query.FuncDefs...)
	f := &Filter{prog: p, in: &inputs{}}
	f.eval = newEvaluator(p)
	options := []gojq.CompilerOption{
		gojq.WithVariables(names),
		gojq.WithInputIter(f.in),
		gojq.WithFunction("debug", 0, 0, func(v any, _ []any) any { return p.beside("[\"DEBUG:\",", v, "]\n") }),
		gojq.WithFunction("stderr", 0, 0, func(v any, _ []any) any { return p.beside("", v, "") }),
	}
	if o.Environ != nil {
		options = append(options, gojq.WithEnvironLoader(o.Environ))
	}
	if p.code, err = gojq.Compile(query, options...); err != nil {
		return nil, compileError(source, err)
	}
	return f, nil
}

// mentions reports whether the filter may use one of these words (regular
// expressions). A word inside a string counts too; that costs only speed.
func mentions(source string, words ...string) bool {
	return regexp.MustCompile(`(?:` + strings.Join(words, "|") + `)\b`).MatchString(source)
}

// beside writes v as JSON to where debug and stderr go.
func (p *program) beside(before string, v any, after string) any {
	b := append(appendValue([]byte(before), v), after...)
	if _, err := p.o.Err.Write(b); err != nil {
		return err
	}
	return v
}

// variable checks a --arg or --argjson and gives gojq's name and value for it.
func (a NamedArg) variable(taken []string) (string, any, error) {
	name := "$" + strings.TrimPrefix(a.Name, "$")
	flag := "--arg"
	if a.JSON {
		flag = "--argjson"
	}
	if !regexp.MustCompile(`^\$[A-Za-z_][A-Za-z0-9_]*$`).MatchString(name) {
		return "", nil, &FilterError{Source: a.Name, Offset: -1, Message: fmt.Sprintf("%s %s: not a name for a variable", flag, a.Name)}
	}
	for _, t := range taken {
		if t == name {
			return "", nil, &FilterError{Source: a.Name, Offset: -1, Message: fmt.Sprintf("%s %s: the name is taken", flag, a.Name)}
		}
	}
	if !a.JSON {
		return name, strings.ToValidUTF8(a.Value, "\ufffd"), nil
	}
	if !json.Valid([]byte(a.Value)) {
		return "", nil, &FilterError{Source: a.Value, Offset: -1, Message: fmt.Sprintf("--argjson %s: not JSON: %s", a.Name, a.Value)}
	}
	return name, decodeAll([]byte(a.Value)), nil
}

// parseError places gojq's error: its offset is behind the token.
func parseError(source string, err error) error {
	var p *gojq.ParseError
	if !errors.As(err, &p) {
		return &FilterError{Source: source, Offset: -1, Message: err.Error()}
	}
	offset := p.Offset - len(p.Token)
	if p.Token == "" {
		offset = len(source)
	}
	return &FilterError{Source: source, Offset: min(max(offset, 0), len(source)), Message: err.Error()}
}

// compileError places an error that comes without an offset by looking for the
// name that it is about: the word before "/" in "function not defined: f/1".
func compileError(source string, err error) error {
	e := &FilterError{Source: source, Offset: -1, Message: err.Error()}
	_, what, _ := strings.Cut(e.Message, ": ")
	name, _, _ := strings.Cut(what, "/")
	if name == "" {
		return e
	}
	for i := 0; i < len(source); {
		n := strings.Index(source[i:], name)
		if n < 0 {
			break
		}
		at := i + n
		if !wordByte(source, at-1) && !wordByte(source, at+len(name)) {
			e.Offset = at
			break
		}
		_, size := utf8.DecodeRuneInString(source[at:])
		i = at + size
	}
	return e
}

func wordByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Apply runs the filter on one JSON document and writes its results. An error
// of this one input is written to Err and counted, not returned; what is
// returned is a *HaltError or the failure to write.
func (f *Filter) Apply(doc []byte, v Vars) error {
	e := f.eval
	if json.Valid(doc) {
		e.run(doc, &v)
	} else {
		e.line = v.Line
		e.fail("the input is not JSON")
	}
	if err := e.output.writeTo(f.prog.o.Out, f.prog.o.Err); err != nil {
		return err
	}
	if e.halt != nil {
		return e.halt
	}
	return nil
}

// Failed is the number of inputs that gave an error.
func (f *Filter) Failed() int { return f.eval.failed }

// Truthy says whether the last output was neither false nor null (-e); false
// when there was none.
func (f *Filter) Truthy() bool { return f.eval.any && f.eval.truthy }
