package pretty

import "github.com/itchyny/gojq"

// findWant finds what of its input a filter can see, so that the rest need not
// be decoded. It follows only those kinds of expression that it knows; anything
// else sees all that it is given. An expression with definitions of its own
// could give known names another meaning: it sees all.
func findWant(q *gojq.Query) *want {
	root := &want{}
	if len(q.Imports) > 0 || q.Meta != nil {
		root.all = true
		return root
	}
	seen(reach(q, places{root}))
	root.settle()
	return root
}

// settle makes a value whole that is asked both for members by name and for
// all its elements, since the two overlap.
func (w *want) settle() {
	if w == nil || w.all {
		return
	}
	if w.kids != nil && w.each != nil {
		w.all = true
		return
	}
	w.each.settle()
	for _, k := range w.kids {
		k.settle()
	}
}

// places are parts of the input that a value may be; empty for a value that is
// none (a constant, or something computed).
type places []*want

// seen marks what is looked at as a whole.
func seen(p places) {
	for _, w := range p {
		w.all = true
	}
}

// member gives the places of a member of p.
func (p places) member(name string) places {
	out := make(places, 0, len(p))
	for _, w := range p {
		if w.kids == nil {
			w.kids = make(map[string]*want)
		}
		kid := w.kids[name]
		if kid == nil {
			kid = &want{}
			w.kids[name] = kid
		}
		out = append(out, kid)
	}
	return out
}

// elements gives the places of all elements of p.
func (p places) elements() places {
	out := make(places, 0, len(p))
	for _, w := range p {
		if w.each == nil {
			w.each = &want{}
		}
		out = append(out, w.each)
	}
	return out
}

// reach follows q from in to the places of its results.
func reach(q *gojq.Query, in places) places {
	if q == nil {
		return nil
	}
	if len(q.FuncDefs) > 0 {
		seen(in)
		return nil
	}
	if q.Term != nil {
		return reachTerm(q.Term, in)
	}
	if len(q.Patterns) > 0 { // source as $x | body
		seen(reach(q.Left, in))
		for _, p := range q.Patterns {
			if keyed(p) {
				seen(in)
			}
		}
		return reach(q.Right, in)
	}
	switch q.Op {
	case gojq.OpPipe:
		return reach(q.Right, reach(q.Left, in))
	case gojq.OpComma, gojq.OpAlt:
		l := reach(q.Left, in)
		return append(l[:len(l):len(l)], reach(q.Right, in)...)
	case gojq.OpAnd, gojq.OpOr:
		reach(q.Left, in)
		reach(q.Right, in)
		return nil
	case gojq.OpAdd, gojq.OpSub, gojq.OpMul, gojq.OpDiv, gojq.OpMod,
		gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		seen(reach(q.Left, in))
		seen(reach(q.Right, in))
		return nil
	}
	seen(in)
	return nil
}

// keyed reports whether a destructuring pattern evaluates expressions.
func keyed(p *gojq.Pattern) bool {
	for _, x := range p.Array {
		if keyed(x) {
			return true
		}
	}
	for _, o := range p.Object {
		if o.KeyQuery != nil || o.KeyString != nil || o.Val != nil && keyed(o.Val) {
			return true
		}
	}
	return false
}

func reachTerm(t *gojq.Term, in places) places {
	out, known := reachBase(t, in)
	if !known {
		seen(in)
		return nil
	}
	for _, s := range t.SuffixList {
		switch {
		case s.Optional:
		case s.Iter:
			out = out.elements()
		case s.Index != nil:
			out = reachIndex(s.Index, out, in)
		}
	}
	return out
}

// reachBase follows a term without its suffixes. known is false for what is not
// followed.
func reachBase(t *gojq.Term, in places) (out places, known bool) {
	switch t.Type {
	case gojq.TermTypeIdentity:
		return in, true
	case gojq.TermTypeIndex:
		return reachIndex(t.Index, in, in), true
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
		return nil, true
	case gojq.TermTypeString, gojq.TermTypeFormat:
		if t.Str == nil { // @json and the like, on the input
			return nil, false
		}
		reachString(t.Str, in)
		return nil, true
	case gojq.TermTypeQuery:
		return reach(t.Query, in), true
	case gojq.TermTypeArray:
		if t.Array != nil {
			seen(reach(t.Array.Query, in))
		}
		return nil, true
	case gojq.TermTypeObject:
		for _, kv := range t.Object.KeyVals {
			reachKeyVal(kv, in)
		}
		return nil, true
	case gojq.TermTypeIf:
		return reachIf(t.If, in), true
	case gojq.TermTypeTry:
		out := reach(t.Try.Body, in)
		if t.Try.Catch != nil { // it is given the error's message
			seen(reach(t.Try.Catch, nil))
		}
		return out, true
	case gojq.TermTypeFunc:
		return reachFunc(t.Func, in)
	}
	return nil, false
}

// reachIndex follows .name; base is the input of expressions in brackets.
func reachIndex(i *gojq.Index, from, base places) places {
	switch {
	case i.Name != "":
		return from.member(i.Name)
	case i.Str != nil && i.Str.Queries == nil:
		return from.member(i.Str.Str)
	case i.Str == nil && !i.IsSlice && i.Start != nil && literal(i.Start) != nil:
		return from.member(*literal(i.Start))
	}
	seen(from)
	seen(base)
	return nil
}

// literal is the text of a query that is a plain string.
func literal(q *gojq.Query) *string {
	if q.Term == nil || q.Term.Type != gojq.TermTypeString || len(q.Term.SuffixList) > 0 ||
		q.Term.Str.Queries != nil || len(q.FuncDefs) > 0 {
		return nil
	}
	return &q.Term.Str.Str
}

func reachString(s *gojq.String, in places) {
	for _, q := range s.Queries {
		seen(reach(q, in))
	}
}

func reachKeyVal(kv *gojq.ObjectKeyVal, in places) {
	switch {
	case kv.KeyString != nil:
		reachString(kv.KeyString, in)
	case kv.KeyQuery != nil:
		seen(reach(kv.KeyQuery, in))
	}
	switch {
	case kv.Val != nil:
		seen(reach(kv.Val, in))
	case kv.KeyString != nil && kv.KeyString.Queries == nil: // {"name"}
		seen(in.member(kv.KeyString.Str))
	case kv.KeyString != nil || kv.KeyQuery != nil:
		seen(in)
	case kv.Key != "" && kv.Key[0] != '$': // {name}
		seen(in.member(kv.Key))
	}
}

func reachIf(i *gojq.If, in places) places {
	reach(i.Cond, in)
	out := append(places{}, reach(i.Then, in)...)
	for _, e := range i.Elif {
		reach(e.Cond, in)
		out = append(out, reach(e.Then, in)...)
	}
	if i.Else == nil {
		return append(out, in...)
	}
	return append(out, reach(i.Else, in)...)
}

func reachFunc(f *gojq.Func, in places) (places, bool) {
	switch {
	case f.Name[0] == '$':
		return nil, true
	case len(f.Args) == 0:
		switch f.Name {
		case "empty", "env", "now", "input_line_number", "input_filename", "halt":
			return nil, true
		case "not": // looks at truth alone, which every decoded value keeps
			return nil, true
		}
	case len(f.Args) == 1:
		switch f.Name {
		case "select":
			reach(f.Args[0], in)
			return in, true
		case "map":
			seen(reach(f.Args[0], in.elements()))
			return nil, true
		case "recurse", "first", "last", "any", "all", "add":
			return nil, false
		}
	}
	return nil, false
}
