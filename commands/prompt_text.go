package commands

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// promptSource is where a prompt's content comes from, in the order in which it
// is sent: texts first, then files, then blocks.
type promptSource struct {
	texts                  []string
	attach, images, audios []string
	blocks                 []json.RawMessage
}

// promptSource reads the command line, the files and stdin, before any agent is
// started. With --lines the texts come from stdin later, one a turn.
func (e *env) promptSource(c *cli.Context, words []string, cwd string, lines bool) (promptSource, error) {
	src := promptSource{}
	// As with git -C, relative names of files are found from --cwd.
	at := func(names []string) []string {
		var out []string
		for _, n := range names {
			if !filepath.IsAbs(n) {
				n = filepath.Join(cwd, n)
			}
			out = append(out, n)
		}
		return out
	}
	src.attach, src.images, src.audios = at(c.StringSlice("attach")), at(c.StringSlice("image")), at(c.StringSlice("audio"))
	for _, f := range append(append(append([]string{}, src.attach...), src.images...), src.audios...) {
		if _, err := os.Stat(f); err != nil {
			return src, ownf(errors.Unwrap(err), "read %s", f)
		}
	}
	for _, b := range c.StringSlice("block") {
		block, err := acp.ParseBlock([]byte(b))
		if err != nil {
			return src, err
		}
		src.blocks = append(src.blocks, block)
	}
	if lines {
		if len(words) > 0 || c.IsSet("file") {
			return src, usagef("one prompt per line is read from stdin", "--lines takes no TEXT and no --file")
		}
		return src, nil
	}
	stdin, err := e.promptTexts(&src, c, words, at)
	if err != nil {
		return src, err
	}
	if stdin {
		if isTerminal(e.In) && len(words) == 0 {
			return src, usagef("acptool prompt \"hello\" -- AGENT; or - to type it here", "no prompt")
		}
		text, err := readAll(e.In)
		if err != nil {
			return src, ownf(err, "read standard input")
		}
		src.texts = append(src.texts, strings.TrimSuffix(string(text), "\n"))
	}
	return src, src.check()
}

// promptTexts collects the texts of -f and TEXT and says whether stdin is to
// be read.
func (e *env) promptTexts(src *promptSource, c *cli.Context, words []string, at func([]string) []string) (stdin bool, err error) {
	if name := c.String("file"); name == "-" {
		stdin = true
	} else if c.IsSet("file") {
		text, err := readFile(at([]string{name})[0])
		if err != nil {
			return false, ownf(err, "read the prompt")
		}
		src.texts = append(src.texts, strings.TrimSuffix(string(text), "\n"))
	}
	var typed []string
	for _, w := range words {
		if w == "-" {
			stdin = true
			continue
		}
		typed = append(typed, w)
	}
	if len(typed) > 0 {
		src.texts = append(src.texts, strings.Join(typed, " "))
	}
	nothing := len(src.texts)+len(src.attach)+len(src.images)+len(src.audios)+len(src.blocks) == 0
	return stdin || nothing, nil
}

// check refuses a prompt that says nothing, and text that is no text.
func (s promptSource) check() error {
	empty := len(s.attach)+len(s.images)+len(s.audios)+len(s.blocks) == 0
	for _, t := range s.texts {
		if strings.TrimSpace(t) != "" {
			empty = false
		}
		if _, err := acp.TextBlock(t); err != nil {
			return err
		}
	}
	if empty {
		return usagef("give it as an argument, with -f FILE, or on stdin", "the prompt is empty")
	}
	return nil
}

// content makes the blocks for an agent with these capabilities.
func (s promptSource) content(caps acp.Capabilities, text ...string) ([]json.RawMessage, error) {
	var out []json.RawMessage
	for _, t := range append(append([]string{}, s.texts...), text...) {
		if t == "" {
			continue
		}
		b, err := acp.TextBlock(t)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	for _, group := range []struct {
		files []string
		block func(string) (json.RawMessage, error)
	}{{s.attach, caps.AttachFile}, {s.images, caps.ImageFile}, {s.audios, caps.AudioFile}} {
		for _, f := range group.files {
			b, err := group.block(f)
			if err != nil {
				return nil, err
			}
			out = append(out, b)
		}
	}
	out = append(out, s.blocks...)
	return out, caps.CheckBlocks(out)
}
