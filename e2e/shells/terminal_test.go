//go:build e2e

package shells

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// patience is how long a shell may take to answer.
const patience = 20 * time.Second

// terminal is a shell at a terminal.
type terminal struct {
	t    *testing.T
	tty  *os.File
	text chan []byte
	seen bytes.Buffer
}

// open starts a shell in an empty home.
func open(t *testing.T, dir string, argv ...string) *terminal {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = world(dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 4000})
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, tty: tty, text: make(chan []byte)}
	// The reader ends when the shell has: the terminal then gives an error.
	go func() {
		defer close(term.text)
		for {
			b := make([]byte, 4096)
			n, err := tty.Read(b)
			if n > 0 {
				term.text <- b[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		for range term.text {
		}
		cmd.Wait()
		tty.Close()
	})
	return term
}

// world is the environment: an empty home, our tool and the agents' files.
func world(dir string) []string {
	return []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir, "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"LANG=C.UTF-8", "TERM=dumb", "INPUTRC=/dev/null", "HISTFILE=",
	}
}

func (term *terminal) send(text string) {
	term.t.Helper()
	if _, err := io.WriteString(term.tty, text); err != nil {
		term.t.Fatal(err)
	}
}

// until reads up to a match of pattern and gives its groups.
func (term *terminal) until(pattern string) []string {
	term.t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		if at := re.FindSubmatchIndex(term.seen.Bytes()); at != nil {
			groups := re.FindSubmatch(term.seen.Bytes())
			texts := make([]string, len(groups))
			for i, g := range groups {
				texts[i] = string(g)
			}
			term.seen.Next(at[1])
			return texts
		}
		select {
		case b, ok := <-term.text:
			if !ok {
				term.t.Fatalf("the shell ended; seen: %q", term.seen.String())
			}
			term.seen.Write(b)
		case <-deadline.C:
			term.t.Fatalf("no %s in %q", pattern, term.seen.String())
		}
	}
}

// complete types a line, has every completion put in the place of the word at
// the cursor, and gives the line's words as the shell then reads them.
// insertAll is the key that puts them there.
func (term *terminal) complete(line, insertAll string) []string {
	term.t.Helper()
	term.send(line + insertAll)
	// To the beginning of the line, and the line becomes the arguments of this.
	term.send("\x01" + `printf '<%s>\n' ` + "\r")
	term.send(`printf '%s\n' d''one` + "\r")
	text := term.until(`(?s)^(.*)\ndone\r`)[1]
	var words []string
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimRight(l, "\r")
		if at := strings.LastIndex(l, "\r"); at >= 0 {
			l = l[at+1:]
		}
		if strings.HasPrefix(l, "<") && strings.HasSuffix(l, ">") {
			words = append(words, l[1:len(l)-1])
		}
	}
	if len(words) == 0 {
		term.t.Fatalf("%q: no words in %q", line, text)
	}
	return words
}
