package pretty

import (
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire/acp"
)

// diffText is a diff of either dialect as lines of a unified diff: version 1
// gives the texts before and after, version 2 a patch or only the paths.
func diffText(d *acp.DiffView) []string {
	if d == nil {
		return nil
	}
	if d.Patch != "" {
		return dropEmpty(strings.Split(strings.TrimRight(d.Patch, "\n"), "\n"))
	}
	var out []string
	for _, c := range d.Changes {
		switch {
		case d.HasTexts && c.Operation == "add":
			out = append(out, "--- /dev/null", "+++ "+oneLine(c.Path))
		case d.HasTexts:
			out = append(out, "--- "+oneLine(c.Path), "+++ "+oneLine(c.Path))
		case c.OldPath != "":
			out = append(out, oneLine(c.Operation+" "+c.OldPath+" → "+c.Path))
		default:
			out = append(out, oneLine(c.Operation+" "+c.Path))
		}
	}
	if d.HasTexts {
		out = append(out, unified(d.OldText, d.NewText)...)
	}
	return dropEmpty(out)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// dropEmpty gives every line at least one byte.
func dropEmpty(lines []string) []string {
	for i, l := range lines {
		if l == "" {
			lines[i] = " "
		}
	}
	return lines
}

// diffContext is the number of unchanged lines around a change.
const diffContext = 3

// mostDiffCells bounds the work of finding what two texts share. Beyond it the
// part that differs is shown as removed and added as a whole.
const mostDiffCells = 4 << 20

type diffOp struct {
	kind byte // ' ', '-', '+'
	text string
}

// unified gives the hunks of a unified diff of two texts.
func unified(before, after string) []string {
	return unifiedLines(diffLines(before), diffLines(after))
}

// unifiedLines is unified for texts that were split into lines.
func unifiedLines(a, b []string) []string {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	var ops []diffOp
	for _, l := range a[:start] {
		ops = append(ops, diffOp{' ', l})
	}
	ops = append(ops, middle(a[start:endA], b[start:endB])...)
	for _, l := range a[endA:] {
		ops = append(ops, diffOp{' ', l})
	}
	return hunks(ops)
}

func diffLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// middle finds the longest common subsequence of what differs.
func middle(a, b []string) []diffOp {
	var ops []diffOp
	n, m := len(a), len(b)
	if n*m > mostDiffCells {
		for _, l := range a {
			ops = append(ops, diffOp{'-', l})
		}
		for _, l := range b {
			ops = append(ops, diffOp{'+', l})
		}
		return ops
	}
	width := m + 1
	common := make([]int32, (n+1)*width) // of a[i:] and b[j:]
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && a[i] == b[j]:
			ops = append(ops, diffOp{' ', a[i]})
			i++
			j++
		case i < n && (j == m || common[(i+1)*width+j] >= common[i*width+j+1]):
			ops = append(ops, diffOp{'-', a[i]})
			i++
		default:
			ops = append(ops, diffOp{'+', b[j]})
			j++
		}
	}
	return ops
}

// hunks leaves out what is unchanged and far from any change.
func hunks(ops []diffOp) []string {
	var out []string
	lineA, lineB := 1, 1
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			lineA++
			lineB++
			i++
			continue
		}
		from := max(i-diffContext, 0)
		lineA -= i - from
		lineB -= i - from
		end, quiet := i, 0
		for end < len(ops) && quiet <= 2*diffContext {
			if ops[end].kind == ' ' {
				quiet++
			} else {
				quiet = 0
			}
			end++
		}
		end -= max(quiet-diffContext, 0)
		a, b := 0, 0
		var body []string
		for _, op := range ops[from:end] {
			if op.kind != '+' {
				a++
			}
			if op.kind != '-' {
				b++
			}
			body = append(body, string(op.kind)+op.text)
		}
		out = append(out, "@@ -"+span(lineA, a)+" +"+span(lineB, b)+" @@")
		out = append(out, body...)
		lineA += a
		lineB += b
		i = end
	}
	return out
}

// span is a range of lines as unified diffs spell it.
func span(start, n int) string {
	if n == 0 {
		start--
	}
	if n == 1 {
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(n)
}
