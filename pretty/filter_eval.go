package pretty

import (
	"errors"
	"io"
	"time"

	"github.com/itchyny/gojq"
)

// output is what running a filter gave: bytes for stdout, and texts for stderr
// each with its place among them, so that both come out in order.
type output struct {
	out  []byte
	errs []sideText

	failed      int  // inputs with an error
	any, truthy bool // whether something was output, and what the last was like
	halt        *HaltError
}

// sideText goes to stderr when so many bytes of out have been written.
type sideText struct {
	at   int
	text string
}

// writeTo writes and forgets the bytes; the counts stay.
func (o *output) writeTo(out, side io.Writer) error {
	from := 0
	for _, s := range o.errs {
		if s.at > from {
			if _, err := out.Write(o.out[from:s.at]); err != nil {
				return err
			}
			from = s.at
		}
		if _, err := io.WriteString(side, s.text); err != nil {
			return err
		}
	}
	if len(o.out) > from {
		if _, err := out.Write(o.out[from:]); err != nil {
			return err
		}
	}
	o.out, o.errs = o.out[:0], o.errs[:0]
	return nil
}

// add appends the counts of what came later.
func (o *output) add(later *output) {
	o.failed += later.failed
	if later.any {
		o.any, o.truthy = true, later.truthy
	}
	if o.halt == nil {
		o.halt = later.halt
	}
}

// evaluator runs a program on one goroutine.
type evaluator struct {
	output
	prog    *program
	decoder decoder
	style   *jsonStyle // nil: results are compact and plain
	scratch []byte
	line    int // of the input, for errors; 0 if not known
	values  []any
}

func newEvaluator(p *program) *evaluator {
	e := &evaluator{prog: p}
	if s := p.o.Screen; s.Terminal || s.Colour {
		e.style = newJSONStyle(s, p.o.Compact || !s.Terminal)
	}
	e.values = make([]any, len(builtinVariables()), len(builtinVariables())+len(p.args))
	e.values = append(e.values, p.args...)
	return e
}

// run applies the program to one valid JSON document.
func (e *evaluator) run(doc []byte, v *Vars) {
	if e.halt != nil {
		return
	}
	e.line = v.Line
	if n := e.prog.native; n != nil && n.run(e, doc, v) {
		return
	}
	e.each(e.start(e.decoder.decode(doc, e.prog.want), v))
	e.decoder.forget() // every result has been written
}

// start begins to run the program on a decoded value.
func (e *evaluator) start(value any, v *Vars) gojq.Iter {
	if e.prog.usesVars {
		e.bind(v)
	}
	return e.prog.code.Run(value, e.values...)
}

// bind sets the variables that come with an input. gojq takes its own types
// only, and panics on others.
func (e *evaluator) bind(v *Vars) {
	text := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	span := func(d time.Duration, known bool, unit time.Duration) any {
		if !known {
			return nil
		}
		return float64(d.Microseconds()) / float64(unit.Microseconds())
	}
	e.values[0] = text(v.From)
	e.values[1] = span(v.T, v.Timed, time.Second)
	e.values[2] = text(v.Method)
	e.values[3] = span(v.Latency, v.Answers, time.Millisecond)
	e.values[4] = text(v.Session)
	e.values[5] = text(v.File)
	e.values[6] = v.Line
}

// each writes the results of one run.
func (e *evaluator) each(iter gojq.Iter) {
	for {
		v, ok := iter.Next()
		if !ok {
			return
		}
		err, isError := v.(error)
		if !isError {
			e.emit(v)
			continue
		}
		var halt *gojq.HaltError
		if !errors.As(err, &halt) {
			e.fail(err.Error())
			return
		}
		e.halt = &HaltError{}
		if halt.ExitCode() != 0 || halt.Value() != nil {
			e.halt.Status = 1
			e.beside(haltText(halt.Value()))
		}
		return
	}
}

// haltText is what halt_error says: a string as it is, anything else as JSON.
func haltText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return string(append(appendValue(nil, v), '\n'))
}

// emit writes one result.
func (e *evaluator) emit(v any) {
	e.any, e.truthy = true, v != nil && v != false
	if s, ok := v.(string); ok && e.prog.o.Raw {
		e.raw([]byte(s))
		return
	}
	if e.style == nil {
		e.out = append(appendValue(e.out, v), '\n')
		return
	}
	e.scratch = appendValue(e.scratch[:0], v)
	e.out = append(e.style.append(e.out, e.scratch), '\n')
}

// raw writes a string's text (-r). On a terminal it cannot steer it.
func (e *evaluator) raw(text []byte) {
	if e.prog.o.Screen.Terminal {
		e.out = AppendSanitized(e.out, text)
	} else {
		e.out = append(e.out, text...)
	}
	e.out = append(e.out, '\n')
}

func (e *evaluator) fail(message string) {
	e.failed++
	if message == "break" {
		message = "no more inputs" // gojq's word for an input that is not there
	}
	where := "jq: "
	if e.line > 0 {
		where = "jq: line " + string(appendInt(nil, e.line)) + ": "
	}
	e.beside(e.prog.o.ErrPrefix + where + Sanitize(message) + "\n")
}

func (e *evaluator) beside(text string) {
	if e.prog.sideways {
		// What debug wrote is out already: keep the order.
		_, _ = io.WriteString(e.prog.o.Err, text)
		return
	}
	e.errs = append(e.errs, sideText{len(e.out), text})
}

// inputs is what input and inputs read from: the messages that come after the
// one that the filter runs on. Outside a stream there are none.
type inputs struct {
	next func() (any, bool)
}

// Next is for gojq.
func (i *inputs) Next() (any, bool) {
	if i.next == nil {
		return nil, false
	}
	return i.next()
}
