package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// apart gives the supervisor a process group, so that this process handles a console's Ctrl+C.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// supervise runs the command in a job that ends with this process, along with everything in the job.
func supervise(o order, program string) (int, error) {
	if err := joinJob(); err != nil {
		return 0, err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // any end means that the owner is gone
		os.Exit(1)
	}()
	cmd := exec.Command(program, o.Args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.Dir, os.Stdout, os.Stderr
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode(), nil
	}
	return 0, err
}

// joinJob puts this process, and so the processes it starts, into a job that is killed when its last handle closes,
// which is ours.
func joinJob() error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("create a job: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return fmt.Errorf("limit the job: %w", err)
	}
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return fmt.Errorf("join the job: %w", err)
	}
	return nil
}
