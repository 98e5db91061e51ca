package record

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// addRoot makes name the stand-in for a folder, /workspace, /workspace-2, ….
func (s *sharer) addRoot(folder, name string) {
	folder = strings.TrimRight(folder, `/\`)
	if len(folder) < 2 || s.hasRoot(folder) {
		return
	}
	n := 1
	for _, r := range s.roots {
		if strings.HasPrefix(r.name, name) {
			n++
		}
	}
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	s.roots = append(s.roots, root{folder, name})
	slices.SortStableFunc(s.roots, func(a, b root) int { return len(b.path) - len(a.path) })
}

func (s *sharer) hasRoot(folder string) bool {
	for _, r := range s.roots {
		if r.path == folder || r.name == folder {
			return true
		}
	}
	return false
}

// within replaces the ids and paths that stand in a text.
func (s *sharer) within(text string) string {
	if s.ids {
		for id, name := range s.idNames {
			// Short ids ("1", "call") are words too.
			if len(id) >= 8 && id != name {
				text = replaceWord(text, id, name)
			}
		}
	}
	if s.paths {
		for _, r := range s.roots {
			text = replaceWord(text, r.path, r.name)
		}
		text = s.otherPaths(text)
	}
	return text
}

// replaceWord replaces whole occurrences: no letter or digit goes on at either
// end.
func replaceWord(text, word, by string) string {
	var b strings.Builder
	for from := 0; ; {
		k := strings.Index(text[from:], word)
		if k < 0 {
			if b.Len() == 0 {
				return text
			}
			b.WriteString(text[from:])
			return b.String()
		}
		at, end := from+k, from+k+len(word)
		whole := (at == 0 || !isWordByte(text[at-1]) || !isWordByte(word[0])) && (end == len(text) || !isWordByte(text[end]))
		b.WriteString(text[from:at])
		if whole {
			b.WriteString(by)
		} else {
			b.WriteString(word)
		}
		from = end
	}
}

// otherPaths replaces absolute paths of at least two steps that are neither
// below a workspace nor below a folder that every system has.
func (s *sharer) otherPaths(text string) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '/' || i+1 < len(text) && text[i+1] == '/' || i > 0 && !startsPath(text[:i]) {
			continue
		}
		end := i
		for end < len(text) && pathByte(text[end]) {
			end++
		}
		found := strings.TrimRight(text[i:end], ".,:;/")
		if strings.Count(found, "/") >= 2 && !commonPath(found) && !s.standIn(found) {
			b.WriteString(text[done:i])
			b.WriteString(s.pathName(found))
			done = i + len(found)
		}
		i = max(i, end-1)
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// startsPath says whether a path can begin behind this text: not inside of a
// word, and not behind the scheme of an address other than file:.
func startsPath(before string) bool {
	c := before[len(before)-1]
	if c == '/' {
		return strings.HasSuffix(before, "file://")
	}
	return strings.IndexByte(" \t\r\n\"'`()[]{}<>=,;:|", c) >= 0
}

func pathByte(c byte) bool {
	return c > ' ' && c != 0x7f && strings.IndexByte("\"'`()[]{}<>|*?,;:", c) < 0
}

func commonPath(p string) bool {
	for _, dir := range []string{"/usr/", "/bin/", "/sbin/", "/etc/", "/dev/", "/proc/", "/sys/", "/lib/", "/lib64/", "/opt/homebrew/", "/System/", "/Library/"} {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	return false
}

// standIn says whether a path begins with one of our stand-ins.
func (s *sharer) standIn(p string) bool {
	first, _, _ := strings.Cut(p[1:], "/")
	for _, r := range s.roots {
		if r.name == "/"+first {
			return true
		}
	}
	return false
}

// pathName is the stand-in for a path: /path-1, with the file's extension.
func (s *sharer) pathName(p string) string {
	name, ok := s.pathNames[p]
	if !ok {
		name = "/path-" + strconv.Itoa(len(s.pathNames)+1)
		if ext := path.Ext(p); len(ext) < 8 {
			name += ext
		}
		s.pathNames[p] = name
	}
	return name
}
