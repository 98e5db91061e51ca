package pretty

import "github.com/itchyny/gojq"

// findNative takes as many stages from the beginning of q as are simple enough;
// nil if that is none.
func findNative(q *gojq.Query) *native {
	if len(q.Imports) > 0 || q.Meta != nil {
		return nil
	}
	n := &native{}
	n.whole = n.take(q)
	last := len(n.stages) - 1
	for last >= 0 && !n.whole && n.stages[last].cond == nil {
		last-- // a path alone decides nothing
	}
	n.stages = n.stages[:last+1]
	if len(n.stages) == 0 {
		return nil
	}
	return n
}

// take adds the stages of q and reports whether all of it could be taken.
func (n *native) take(q *gojq.Query) bool {
	if len(q.FuncDefs) > 0 || len(q.Patterns) > 0 {
		return false
	}
	if q.Op == gojq.OpPipe && q.Term == nil {
		if n.take(q.Left) {
			return n.take(q.Right)
		}
		return false
	}
	if len(n.stages) > 0 && n.stages[len(n.stages)-1].alt != nil {
		return false // an alternative only at the end
	}
	if q.Op == gojq.OpAlt && q.Term == nil {
		path, ok := pathOf(q.Left)
		alt := altOf(q.Right)
		if !ok || alt == nil {
			return false
		}
		n.stages = append(n.stages, stage{path: path, alt: alt})
		return true
	}
	if path, ok := pathOf(q); ok {
		n.stages = append(n.stages, stage{path: path})
		return true
	}
	if t := q.Term; t != nil && t.Type == gojq.TermTypeFunc && t.Func.Name == "select" && len(t.Func.Args) == 1 && len(t.SuffixList) == 0 {
		if cond := conditionOf(t.Func.Args[0]); cond != nil {
			n.stages = append(n.stages, stage{cond: cond})
			return true
		}
	}
	return false
}

func altOf(q *gojq.Query) *alternative {
	if text := literal(q); text != nil {
		return &alternative{text}
	}
	if isFunc(q, "empty") {
		return &alternative{}
	}
	return nil
}

func isFunc(q *gojq.Query, name string) bool {
	t := q.Term
	return len(q.FuncDefs) == 0 && t != nil && t.Type == gojq.TermTypeFunc && t.Func.Name == name &&
		len(t.Func.Args) == 0 && len(t.SuffixList) == 0
}

// pathOf reads a path of names: .a.b?["c"].
func pathOf(q *gojq.Query) ([]step, bool) {
	t := q.Term
	if t == nil || len(q.FuncDefs) > 0 {
		return nil, false
	}
	var path []step
	add := func(i *gojq.Index) bool {
		switch {
		case i.Name != "":
			path = append(path, step{name: i.Name})
		case i.Str != nil && i.Str.Queries == nil:
			path = append(path, step{name: i.Str.Str})
		case i.Str == nil && !i.IsSlice && i.Start != nil && literal(i.Start) != nil:
			path = append(path, step{name: *literal(i.Start)})
		default:
			return false
		}
		return true
	}
	switch t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		if !add(t.Index) {
			return nil, false
		}
	default:
		return nil, false
	}
	for i, s := range t.SuffixList {
		switch {
		case s.Index != nil:
			if !add(s.Index) {
				return nil, false
			}
		case s.Optional && len(path) > 0 && (i == 0 || !t.SuffixList[i-1].Optional):
			path[len(path)-1].optional = true // it belongs to the last step alone
		default:
			return nil, false
		}
	}
	return path, true
}

// conditionOf reads what stands in select(…); nil if it is not simple.
func conditionOf(q *gojq.Query) *condition {
	if len(q.FuncDefs) > 0 || len(q.Patterns) > 0 {
		return nil
	}
	if t := q.Term; t != nil {
		if t.Type == gojq.TermTypeQuery && len(t.SuffixList) == 0 {
			return conditionOf(t.Query)
		}
		return operandOf(q)
	}
	switch q.Op {
	case gojq.OpAnd, gojq.OpOr:
		a, b := conditionOf(q.Left), conditionOf(q.Right)
		if a == nil || b == nil {
			return nil
		}
		kind := condAnd
		if q.Op == gojq.OpOr {
			kind = condOr
		}
		return &condition{kind: kind, a: a, b: b}
	case gojq.OpPipe:
		if a := conditionOf(q.Left); a != nil && isFunc(q.Right, "not") {
			return &condition{kind: condNot, a: a}
		}
	case gojq.OpEq, gojq.OpNe:
		k := operandOf(q.Left)
		lit := q.Right
		if k == nil {
			k, lit = operandOf(q.Right), q.Left
		}
		if k == nil || !k.setLiteral(lit) {
			return nil
		}
		if k.kind = condEqual; q.Op == gojq.OpNe {
			k.kind = condNotEqual
		}
		return k
	}
	return nil
}

// operandOf reads a path or one of the text variables.
func operandOf(q *gojq.Query) *condition {
	if path, ok := pathOf(q); ok {
		return &condition{path: path}
	}
	for _, name := range [...]string{"$from", "$method", "$session"} {
		if isFunc(q, name) {
			return &condition{variable: name}
		}
	}
	return nil
}

func (k *condition) setLiteral(q *gojq.Query) bool {
	if text := literal(q); text != nil {
		k.literal, k.isText = []byte(*text), true
		return true
	}
	if q.Term == nil || len(q.Term.SuffixList) > 0 || len(q.FuncDefs) > 0 {
		return false
	}
	switch q.Term.Type {
	case gojq.TermTypeNull:
		k.literal = []byte("null")
	case gojq.TermTypeTrue:
		k.literal = []byte("true")
	case gojq.TermTypeFalse:
		k.literal = []byte("false")
	default:
		return false
	}
	return true
}
