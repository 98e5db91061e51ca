package replay

// enough is how much is gathered before it is written: what a pipe takes at
// once.
const enough = 64 << 10

// write sends one line of a run (nil: of none). A line that lacked its end
// keeps lacking it only where the agent ended there.
//
// What is sent is gathered, since a call to the system costs many times what a
// frame does. It is written as soon as nothing more can be sent, which is before
// the client's next line is looked at, so a client sees no difference; and at
// once where recorded pauses are kept.
func (a *Agent) write(r *run, line []byte, eol string) {
	if eol == "" && !r.ends() {
		eol = "\n"
	}
	if len(a.out)+len(line)+len(eol) > enough {
		a.flush()
	}
	if len(line) > enough { // not copied; its end is written with what follows
		if a.outErr == nil {
			_, a.outErr = a.o.Out.Write(line)
		}
		line = nil
	}
	a.out = append(append(a.out, line...), eol...)
	if a.o.Speed > 0 {
		a.flush()
	}
}

// flush writes what was gathered.
func (a *Agent) flush() {
	if len(a.out) > 0 && a.outErr == nil {
		_, a.outErr = a.o.Out.Write(a.out)
	}
	a.out = a.out[:0]
}

// ends says whether nothing but the agent's end follows.
func (r *run) ends() bool {
	return r != nil && r.next < len(r.items) && r.items[r.next].kind == itemEnd
}
