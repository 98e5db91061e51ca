//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"
)

// verdict is what the validator says of a file.
type verdict struct {
	Checked int
	Faults  []string
}

// validator is validate.mjs, started once for all tests.
type validator struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startValidator() (*validator, error) {
	v := &validator{cmd: exec.Command("node", "validate.mjs", "--serve")}
	v.cmd.Stderr = os.Stderr
	var err error
	if v.in, err = v.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	v.out = bufio.NewReader(out)
	return v, v.cmd.Start()
}

// ask has a file judged.
func (v *validator) ask(file, from string) (verdict, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var said verdict
	if err := json.NewEncoder(v.in).Encode(map[string]string{"file": file, "from": from}); err != nil {
		return said, err
	}
	line, err := v.out.ReadBytes('\n')
	if err != nil {
		return said, err
	}
	return said, json.Unmarshal(line, &said)
}

func (v *validator) stop() {
	v.in.Close()
	_ = v.cmd.Wait()
}
