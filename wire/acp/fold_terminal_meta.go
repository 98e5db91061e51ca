package acp

import (
	"encoding/json"

	"github.com/acptool/acptool/wire/scan"
)

// metaTerminal reads what version 1 agents tell of their terminals in a tool
// call's _meta, since version 1 has no kinds for it: terminal_info,
// terminal_output (or terminal_output_delta), terminal_exit. It is an extension
// that editors and agents share; members of other shapes are left alone, and
// _meta itself stays where it came.
func (f *Fold) metaTerminal(meta json.RawMessage) {
	if meta == nil {
		return
	}
	if info := scan.Member(meta, "terminal_info"); info != nil {
		if t := f.metaNamed(info); t != nil {
			if cwd := scan.Text(scan.Member(info, "cwd")); len(cwd) > 0 {
				t.Cwd = string(cwd)
			}
		}
	}
	for _, key := range []string{"terminal_output", "terminal_output_delta"} {
		output := scan.Member(meta, key)
		if data := scan.Text(scan.Member(output, "data")); len(data) > 0 {
			if t := f.metaNamed(output); t != nil {
				t.Output = append(t.Output, data...)
			}
		}
	}
	if exit := scan.Member(meta, "terminal_exit"); exit != nil {
		if t := f.metaNamed(exit); t != nil {
			var status []member
			for _, m := range [][2]string{{"exit_code", "exitCode"}, {"signal", "signal"}} {
				if v := scan.Member(exit, m[0]); v != nil {
					status = append(status, member{m[1], v})
				}
			}
			t.Exit = appendMembers(nil, status)
		}
	}
}

// metaNamed is the terminal that terminal_id names, nil if it names none.
func (f *Fold) metaNamed(object json.RawMessage) *Terminal {
	id := scan.Text(scan.Member(object, "terminal_id"))
	if len(id) == 0 {
		return nil
	}
	var c Change
	return f.terminal(string(id), &c)
}
