package pretty

import (
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire/scan"
)

// given rewrites the paths of a patch that the agent made (version 2,
// "git_patch"): agents write them absolute, or with a/ and b/.
func (p *patch) given(text string) {
	lines := wholeLines(text)
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	for i := 0; i < len(lines); {
		h := header{}
		i = h.read(lines, i)
		if !h.any {
			i++ // words between the sections
			continue
		}
		i = h.readHunks(lines, i)
		p.adopt(&h)
	}
}

// header is a section as it came.
type header struct {
	any              bool
	before, after    string // as in "---" and "+++"
	fromName, toName string // as in "rename from" or "copy to"
	git              string // what follows "diff --git"
	s                section
}

func (h *header) read(lines []string, i int) int {
	for ; i < len(lines); i++ {
		l := lines[i]
		switch {
		case strings.HasPrefix(l, "diff --git "):
			if h.any {
				return i
			}
			h.git = strings.TrimRight(l[len("diff --git "):], "\r\n")
		case strings.HasPrefix(l, "--- "):
			if h.s.named {
				return i
			}
			h.before, h.s.named = unquotePath(l[4:]), true
		case strings.HasPrefix(l, "+++ "):
			h.after = unquotePath(l[4:])
		case strings.HasPrefix(l, "rename from "), strings.HasPrefix(l, "copy from "):
			_, name, _ := strings.Cut(l, " from ")
			h.fromName = unquotePath(name)
			h.s.more = append(h.s.more, l)
		case strings.HasPrefix(l, "rename to "), strings.HasPrefix(l, "copy to "):
			_, name, _ := strings.Cut(l, " to ")
			h.toName = unquotePath(name)
			h.s.more = append(h.s.more, l)
		case h.any && extended(l):
			h.s.more = append(h.s.more, l)
		default:
			return i
		}
		h.any = true
	}
	return i
}

// extended says whether a line is one of git's extended headers.
func extended(l string) bool {
	for _, begin := range []string{"new file mode ", "deleted file mode ", "old mode ", "new mode ", "similarity index ", "dissimilarity index ", "index "} {
		if strings.HasPrefix(l, begin) {
			return true
		}
	}
	return false
}

// hunkSize reads the counts of "@@ -1,2 +3,4 @@".
func hunkSize(l string) (before, after int, ok bool) {
	words := strings.Fields(l)
	if len(words) < 4 || words[0] != "@@" || words[3] != "@@" || words[1][0] != '-' || words[2][0] != '+' {
		return 0, 0, false
	}
	return lineCount(words[1]), lineCount(words[2]), true
}

// readHunks takes as many lines as the hunks say that they have.
func (h *header) readHunks(lines []string, i int) int {
	for i < len(lines) {
		before, after, ok := hunkSize(lines[i])
		if !ok {
			return i
		}
		h.s.hunks = append(h.s.hunks, lines[i])
		i++
		for i < len(lines) && (before > 0 || after > 0 || lines[i][0] == '\\') {
			switch lines[i][0] {
			case '-':
				before--
			case '+':
				after--
			case '\\':
			default:
				before--
				after--
			}
			h.s.hunks = append(h.s.hunks, lines[i])
			i++
		}
	}
	return i
}

// lineCount is the second number of "-1,2", 1 where there is none.
func lineCount(span string) int {
	_, digits, ok := strings.Cut(span, ",")
	if !ok {
		return 1
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// adopt writes the section with its paths relative to the session's folder.
func (p *patch) adopt(h *header) {
	before, after := h.before, h.after
	if !h.s.named {
		if before, after = h.fromName, h.toName; before == "" && len(h.git)%2 == 1 {
			half := len(h.git) / 2 // the same name twice
			before, after = unquotePath(h.git[:half]), unquotePath(h.git[half+1:])
		}
	}
	for _, side := range []struct {
		name, prefix string
		to           *string
	}{{before, "a/", &h.s.before}, {after, "b/", &h.s.after}} {
		if side.name == "/dev/null" {
			continue
		}
		name, ok := p.local(strings.TrimPrefix(side.name, side.prefix))
		if !ok || name == "." {
			p.skip("not in the session's folder: " + side.name)
			return
		}
		*side.to = name
	}
	for i, l := range h.s.more {
		for _, word := range []string{"rename from ", "copy from "} {
			if strings.HasPrefix(l, word) {
				h.s.more[i] = word + quotePath(h.s.before) + "\n"
			}
		}
		for _, word := range []string{"rename to ", "copy to "} {
			if strings.HasPrefix(l, word) {
				h.s.more[i] = word + quotePath(h.s.after) + "\n"
			}
		}
	}
	switch more := strings.Join(h.s.more, ""); {
	case h.s.before == "" && !strings.Contains(more, "new file mode"):
		h.s.more = append([]string{"new file mode 100644\n"}, h.s.more...)
	case h.s.after == "" && !strings.Contains(more, "deleted file mode"):
		h.s.more = append([]string{"deleted file mode 100644\n"}, h.s.more...)
	}
	p.section(h.s)
}

// textMember is the text of a member, "" where there is none.
func textMember(object []byte, name string) string {
	return string(scan.Text(scan.Member(object, name)))
}
