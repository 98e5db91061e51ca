package record

type jqPaths struct{}

func newJQPaths(list []string) (*jqPaths, error) {
	if len(list) == 0 {
		return nil, nil
	}
	return nil, errNotBuilt
}
func (p *jqPaths) redact(line []byte) ([]byte, []string) { return line, nil }
