package record

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire/scan"
)

// sharer makes a copy fit to share: it puts stand-ins in place of ids and
// paths, the same for the same one throughout, and takes texts out. Shape,
// order, times, JSON-RPC ids, kinds, states, usage and costs stay.
type sharer struct {
	paths, ids, text bool

	idNames   map[string]string // id → stand-in
	idCount   map[string]int    // kind → how many so far
	pathNames map[string]string // path → stand-in
	roots     []root            // folders that are replaced at the beginning of paths, longest first
}

type root struct{ path, name string }

func newSharer(kinds []string) (*sharer, error) {
	if len(kinds) == 0 {
		return nil, nil
	}
	if !isShareKind(kinds) {
		return nil, &OptionError{Value: strings.Join(kinds, ","), Err: errorText("want paths, ids, text")}
	}
	return &sharer{
		paths: slices.Contains(kinds, "paths"), ids: slices.Contains(kinds, "ids"), text: slices.Contains(kinds, "text"),
		idNames: map[string]string{}, idCount: map[string]int{}, pathNames: map[string]string{},
	}, nil
}

// frame replaces what is to be replaced in one frame.
func (s *sharer) frame(line []byte) ([]byte, []string) {
	if s.ids || s.paths {
		s.learn(line)
	}
	w := &walker{b: line, child: func(rule, []byte) rule { return rulePlain }, leaf: s.leaf}
	return w.run()
}

// learn takes note of the ids and workspaces that a frame names, so that they
// are found wherever they stand in it.
func (s *sharer) learn(line []byte) {
	w := &walker{b: line, child: func(rule, []byte) rule { return rulePlain }}
	w.leaf = func(w *walker, _ rule, key, raw []byte) ([]byte, bool) {
		key = w.memberName(key)
		switch {
		case s.ids && isSharedID(key):
			s.idName(key, string(scan.Text(raw)))
		case s.paths && (string(key) == "cwd" || string(key) == "additionalDirectories"):
			s.addRoot(string(scan.Text(raw)), "/workspace")
		}
		return nil, false
	}
	w.run()
}

// memberName is the name of the member that a value stands in, also where it
// stands in a list.
func (w *walker) memberName(key []byte) []byte {
	for i := len(w.path) - 1; key == nil && i >= 0; i-- {
		key = w.path[i].key
	}
	return key
}

func (s *sharer) leaf(w *walker, _ rule, key, raw []byte) ([]byte, bool) {
	if len(raw) == 2 || string(raw) == `"`+Redacted+`"` {
		return nil, false
	}
	key = w.memberName(key)
	if s.text && !isStructure(w, key) {
		return []byte(Redacted), true
	}
	if !s.ids && !s.paths || string(key) == "id" && len(w.path) <= 2 {
		return nil, false
	}
	text := scan.Text(raw)
	if s.ids && isSharedID(key) {
		return []byte(s.idName(key, string(text))), true
	}
	if out := s.within(string(text)); out != string(text) {
		return []byte(out), true
	}
	return nil, false
}

// plain does the same for noise, stderr and arguments.
func (s *sharer) plain(text []byte) ([]byte, bool) {
	if s.text && len(bytes.TrimSpace(text)) > 0 && string(text) != Redacted {
		if bytes.HasSuffix(text, []byte("\n")) {
			return []byte(Redacted + "\n"), true
		}
		return []byte(Redacted), true
	}
	out := s.within(string(text))
	return []byte(out), out != string(text)
}

// argument does it for one argument of the agent's command line, which is
// shown in any case, as it says what was recorded.
func (s *sharer) argument(arg string) (string, bool) {
	out := s.within(arg)
	return out, out != arg
}

// isSharedID says whether a member holds an id that an agent made up. The ids
// of methods, modes, models, options and configurations are names.
func isSharedID(key []byte) bool {
	k := string(key)
	if !strings.HasSuffix(k, "Id") && !strings.HasSuffix(k, "_id") {
		return false
	}
	for _, name := range []string{"methodId", "modeId", "currentModeId", "modelId", "currentModelId", "optionId", "configId", "providerId"} {
		if k == name {
			return false
		}
	}
	return true
}

// idName is the stand-in for an id: session-1, toolCall-2.
func (s *sharer) idName(key []byte, id string) string {
	if id == "" {
		return ""
	}
	if name, ok := s.idNames[id]; ok {
		return name
	}
	kind := strings.TrimSuffix(strings.TrimSuffix(string(key), "Id"), "_id")
	if strings.HasSuffix(strings.ToLower(kind), "session") {
		kind = "session"
	}
	s.idCount[kind]++
	name := kind + "-" + strconv.Itoa(s.idCount[kind])
	s.idNames[id] = name
	s.idNames[name] = name // a stand-in stands for itself
	return name
}

// isStructure says whether the strings of a member say how the conversation
// went, and not what was said in it. What is not known is taken out.
func isStructure(w *walker, key []byte) bool {
	switch k := string(key); k {
	case "jsonrpc", "method", "id", "type", "sessionUpdate", "kind", "status", "state", "stopReason", "role", "priority", "mimeType",
		"outcome", "optionId", "methodId", "modeId", "currentModeId", "modelId", "currentModelId", "configId", "providerId",
		"category", "level", "severity", "currency", "version", "protocolVersion", "cwd", "path", "uri", "additionalDirectories", "updatedAt", "signal":
		return true
	default:
		if isSharedID(key) {
			return true
		}
		// Who the two sides are.
		for _, s := range w.path {
			switch string(s.key) {
			case "agentInfo", "clientInfo", "info":
				return k == "name" || k == "title"
			}
		}
		return false
	}
}
