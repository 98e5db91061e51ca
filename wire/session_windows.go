package wire

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// session is a job object that holds a child and all that it starts. Its last
// handle is ours, so it ends with us, however we end.
type session struct {
	pid int
	job windows.Handle
}

// startInSession starts cmd in a process group of its own, so that console
// events can be sent to it alone, and puts it into a job.
func startInSession(cmd *exec.Cmd) (session, error) {
	job, err := newJob()
	if err != nil {
		return session{}, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED}
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(job)
		return session{}, err
	}
	s := session{cmd.Process.Pid, job}
	// Suspended until it is in the job, so that nothing it starts escapes.
	if err := errors.Join(s.assign(), resume(s.pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		s.close()
		return session{}, err
	}
	return s, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func (s session) assign() error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(s.pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(s.job, h)
}

// resume starts the one thread of a process that was created suspended.
func resume(pid int) error {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snap)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snap, &entry); err == nil; err = windows.Thread32Next(snap, &entry) {
		if entry.OwnerProcessID != uint32(pid) {
			continue
		}
		t, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(t)
		_, err = windows.ResumeThread(t)
		return err
	}
	return err
}

func (s session) id() int { return s.pid }

// signal knows two signals: a console break, and the end.
func (s session) signal(sig os.Signal) error {
	if sig == os.Kill {
		return windows.TerminateJobObject(s.job, 1)
	}
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(s.pid))
}

func (s session) signalAll(sig os.Signal) error { return s.signal(sig) }

// empty reports whether no process of the job is left.
func (s session) empty() bool {
	var info struct {
		TotalUserTime, TotalKernelTime, ThisPeriodTotalUserTime, ThisPeriodTotalKernelTime int64
		TotalPageFaultCount, TotalProcesses, ActiveProcesses, TotalTerminatedProcesses     uint32
	}
	err := windows.QueryInformationJobObject(s.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err != nil || info.ActiveProcesses == 0
}

func (s session) close() { _ = windows.CloseHandle(s.job) }

// exitOf gives the status; Windows has no signals to die of.
func exitOf(p *os.ProcessState) Exit { return Exit{Code: p.ExitCode()} }

// isNotExecutable reports whether a program is there and cannot be executed.
func isNotExecutable(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, windows.ERROR_BAD_EXE_FORMAT)
}

// withShell does nothing here.
func withShell(func() *exec.Cmd, error) *exec.Cmd { return nil }

// strays are none: nothing leaves the job.
func (s session) strays() []session { return nil }
