package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Env is what the names of files depend on. Members that are nil or zero mean
// the process's own.
type Env struct {
	Getenv func(string) string
	Stdin  io.Reader // what "-" reads; nil: "-" is an error
	Now    func() time.Time
	PID    int

	MaxFrame int64 // the longest frame that is read, 0 for wire.DefaultMaxFrame
}

func (e Env) getenv(name string) string {
	if e.Getenv == nil {
		return os.Getenv(name)
	}
	return e.Getenv(name)
}

func (e Env) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

func (e Env) pid() int {
	if e.PID == 0 {
		return os.Getpid()
	}
	return e.PID
}

// home is the user's home folder.
func (e Env) home() (string, error) {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if h := e.getenv(name); filepath.IsAbs(h) {
			return h, nil
		}
	}
	if e.Getenv == nil {
		return os.UserHomeDir()
	}
	if runtime.GOOS == "windows" {
		return "", errors.New("no home folder: USERPROFILE is not set")
	}
	return "", errors.New("no home folder: HOME is not set")
}

const (
	// defaultPattern names recordings in the default folder, so that they
	// sort by the time when they began.
	defaultPattern = "{time}-{agent}-{pid}" + Extension
	timeLayout     = "20060102T150405Z"
	// keep is how many recordings the default folder holds.
	keep = 200
)

// Folder is where recordings go by default:
// $XDG_STATE_HOME/acptool/recordings, or ~/.local/state/acptool/recordings
// (XDG Base Directory Specification: a path that is not absolute is ignored).
func Folder(env Env) (string, error) {
	state := env.getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := env.home()
		if err != nil {
			return "", err
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "acptool", "recordings"), nil
}

// expand fills in the patterns of a name, and the home folder for "~/".
func (e Env) expand(name string, o CreateOptions) (string, error) {
	name = strings.NewReplacer(
		"{time}", o.Start.UTC().Format(timeLayout),
		"{agent}", agentName(o.Agent),
		"{pid}", strconv.Itoa(e.pid()),
	).Replace(name)
	return e.tilde(name)
}

func (e Env) tilde(name string) (string, error) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		home, err := e.home()
		if err != nil {
			return "", err
		}
		return filepath.Join(home, rest), nil
	}
	return name, nil
}

// agentName is a short name for an agent, fit for a file name: what a launcher
// launches, else the program, or the host of an address.
func agentName(argv []string) string {
	name := ""
	for _, a := range argv {
		if strings.HasPrefix(a, "-") && name != "" {
			continue
		}
		name = a
		base := strings.TrimSuffix(filepath.Base(a), ".exe")
		if !slices.Contains([]string{"npx", "node", "bun", "bunx", "deno", "python", "python3", "uvx", "uv", "run", "env", "sh", "bash", "exec"}, base) {
			break
		}
	}
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name, _, _ = strings.Cut(rest, "/")
	}
	name = filepath.Base(name)
	for _, ext := range []string{".exe", ".js", ".mjs", ".py", ".sh"} {
		name = strings.TrimSuffix(name, ext)
	}
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name = name[:at] // a package's version
	}
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && (isAlnum(byte(r)) || r == '.' || r == '_' || r == '-') {
			return r
		}
		return '-'
	}, name)
	clean = strings.Trim(clean, ".-")
	if clean == "" {
		return "agent"
	}
	return clean[:min(len(clean), 40)]
}

// Stored is one recording of a folder.
type Stored struct {
	Path  string
	Size  int64
	Mod   time.Time // last written
	Began time.Time // by its name, else Mod
}

// List returns the recordings in folder, the one that began last first. A
// folder that does not exist has none.
func List(folder string) ([]Stored, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		if os.IsNotExist(err) {
			return nil, nil
		}
		return nil, err
	}
	var list []Stored
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), Extension) {
			continue
		}
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // deleted since, or none of ours
		}
		s := Stored{Path: filepath.Join(folder, f.Name()), Size: info.Size(), Mod: info.ModTime(), Began: info.ModTime()}
		if stamp, _, ok := strings.Cut(f.Name(), "-"); ok {
			if t, err := time.Parse(timeLayout, stamp); err == nil {
				s.Began = t
			}
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Stored) int {
		if c := b.Began.Compare(a.Began); c != 0 {
			return c
		}
		if c := b.Mod.Compare(a.Mod); c != 0 {
			return c
		}
		return strings.Compare(b.Path, a.Path)
	})
	return list, nil
}

// prune deletes the oldest recordings of the default folder, but none that is
// still being written, and not the one that was just made.
func prune(folder, made string) {
	list, err := List(folder)
	if err != nil {
		return
	}
	for _, s := range list[min(keep, len(list)):] {
		if s.Path != made && !Writing(s.Path, 0) {
			_ = os.Remove(s.Path)
		}
	}
}

// NoRecordingError says that there is no recording yet that "@last" could name.
type NoRecordingError struct{ Folder string }

func (e *NoRecordingError) Error() string { return "no recordings in " + e.Folder }

// NotHereError says that a name without a folder is found neither in the current
// folder nor among the recordings of the default one.
type NotHereError struct{ Name, Folder string }

func (e *NotHereError) Error() string {
	return "no file " + e.Name + " in the current folder, and none in " + e.Folder
}
func (e *NotHereError) Unwrap() error { return fs.ErrNotExist }

// Resolve turns a name that a user gave for reading ("", "@last", "~/x", a
// path) into a path. A name without a folder that the current folder does not
// have is looked up in the default folder, as the list of recordings shows it.
func Resolve(name string, env Env) (string, error) {
	if name != "" && name != "@last" {
		return env.find(name)
	}
	folder, err := Folder(env)
	if err != nil {
		return "", err
	}
	list, err := List(folder)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", &NoRecordingError{Folder: folder}
	}
	return list[0].Path, nil
}

func (e Env) find(name string) (string, error) {
	if filepath.Base(name) != name {
		return e.tilde(name)
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	folder, err := Folder(e)
	if err != nil {
		return name, nil // opening it says that it is not here
	}
	path := filepath.Join(folder, name)
	if _, err := os.Lstat(path); err != nil {
		return "", &NotHereError{Name: name, Folder: folder}
	}
	return path, nil
}

// Open opens a recording for reading: a path, "-" for stdin, "@last" or "" for
// the newest one in the default folder.
func Open(name string, env Env) (*Reader, error) {
	if name == "-" {
		if env.Stdin == nil {
			return nil, fmt.Errorf("no standard input to read from")
		}
		return env.reader(env.Stdin), nil
	}
	path, err := Resolve(name, env)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, fmt.Errorf("%s is a folder", path)
	}
	r := env.reader(f)
	r.closers = append(r.closers, f.Close)
	return r, nil
}

func (e Env) reader(in io.Reader) *Reader {
	r := NewReader(in)
	r.maxFrame = e.MaxFrame
	return r
}
