//go:build unix

package wire

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// session is the session of a child that leads it. Wrappers such as npx and
// sh -c leave the real agent one or two processes below; what they all share
// is the session.
type session struct{ leader int }

// startInSession starts cmd as the leader of a session of its own, so that no
// terminal's signals reach it and all that it starts can be found.
func startInSession(cmd *exec.Cmd) (session, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	dieWithParent(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return session{}, err
	}
	return session{cmd.Process.Pid}, nil
}

func (s session) id() int { return s.leader }

// signal sends a signal to the leader's process group.
func (s session) signal(sig os.Signal) error {
	n, ok := sig.(syscall.Signal)
	if !ok || s.leader <= 1 {
		return errors.ErrUnsupported
	}
	return syscall.Kill(-s.leader, n)
}

// signalAll signals every process of the session, whatever group a shell's job
// control has put it in, and none twice: to some, a second SIGTERM means more.
func (s session) signalAll(sig os.Signal) error {
	members := s.members()
	err := s.signal(sig)
	for _, pid := range members {
		if group, _ := unix.Getpgid(pid); group != s.leader {
			_ = syscall.Kill(pid, sig.(syscall.Signal))
		}
	}
	return err
}

// empty reports whether no living process of the session is left.
func (s session) empty() bool { return len(s.members()) == 0 }

// close frees nothing here: a session is only a number.
func (s session) close() {}

// exitOf tells a status from a signal.
func exitOf(p *os.ProcessState) Exit {
	ws, ok := p.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		name := unix.SignalName(ws.Signal())
		if name == "" {
			name = ws.Signal().String()
		}
		return Exit{Code: -1, Signal: name}
	}
	return Exit{Code: p.ExitCode()}
}

// isNotExecutable reports whether a program is there and cannot be executed.
func isNotExecutable(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.ENOEXEC) || errors.Is(err, syscall.EISDIR)
}

// sessionOf is the session that a process leads.
func sessionOf(pid int) session { return session{pid} }

// guardAttr gives the guard a session of its own: what ends ours by its
// terminal must not end it.
func guardAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// withShell is the command with the shell to run it, if it failed because the
// file says in no way what should run it. That is what execvp does, and what
// an editor that starts the same agent does.
func withShell(command func() *exec.Cmd, err error) *exec.Cmd {
	if !errors.Is(err, syscall.ENOEXEC) {
		return nil
	}
	cmd := command()
	f, err := os.Open(cmd.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, 512)
	n, _ := f.Read(start)
	if bytes.IndexByte(start[:n], 0) >= 0 {
		return nil // a program for another machine
	}
	cmd.Args = append([]string{"sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	return cmd
}
