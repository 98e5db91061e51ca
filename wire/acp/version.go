package acp

import "fmt"

// Version is a major version of the protocol, as initialize carries it: an
// integer that changes only with breaking changes.
type Version int

// The versions that this package speaks.
const (
	V1 Version = 1
	V2 Version = 2
)

// Choice is what the user asked for with --protocol.
type Choice int

const (
	Auto  Choice = 0 // offer 2 in both dialects, take what the agent answers
	Only1 Choice = 1
	Only2 Choice = 2
)

// ParseChoice reads the value of --protocol.
func ParseChoice(s string) (Choice, error) {
	switch s {
	case "", "auto":
		return Auto, nil
	case "1":
		return Only1, nil
	case "2":
		return Only2, nil
	}
	return Auto, usagef("protocol version %q is not one of auto, 1, 2", s)
}

// String is the spelling of --protocol.
func (c Choice) String() string {
	if c == Auto {
		return "auto"
	}
	return fmt.Sprint(int(c))
}

// accepts says whether an answer with version v suits the choice.
func (c Choice) accepts(v Version) bool {
	if c == Auto {
		return v == V1 || v == V2
	}
	return Version(c) == v
}

// offered lists our versions for messages.
func (c Choice) offered() []int {
	if c == Auto {
		return []int{1, 2}
	}
	return []int{int(c)}
}
