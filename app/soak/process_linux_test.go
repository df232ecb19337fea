package soak

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"coppice/app"
	"coppice/backend/core"
	"coppice/backend/sqlite"
	"coppice/backend/sqlite/faultfs"
)

// The environment variables and the roles of a copy of this test program.
const (
	roleVar    = "COPPICE_SOAK_ROLE"
	faultVar   = "COPPICE_SOAK_FAULT" // KIND:N: system calls on the disk fail from the Nth on
	roleCLI    = "cli"
	roleWriter = "writer" // appends messages as a window does: arguments SEED COUNT DROPS MARK
)

func TestMain(m *testing.M) {
	disk, err := breakDisk(os.Getenv(faultVar))
	code := 1
	switch role := os.Getenv(roleVar); {
	case err != nil:
	case role == roleCLI:
		code = app.Main(os.Args[1:])
	case role == roleWriter:
		if err = write(os.Args[1:]); err == nil {
			code = 0
		}
	default:
		code = m.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	runtime.KeepAlive(disk)
	os.Exit(code)
}

// breakDisk makes system calls of this process fail.
func breakDisk(spec string) (*faultfs.Disk, error) {
	kind, from, ok := strings.Cut(spec, ":")
	if !ok {
		return nil, nil
	}
	n, err := strconv.Atoi(from)
	if err != nil {
		return nil, err
	}
	disk, err := faultfs.Install(filepath.Dir(os.Getenv("COPPICE_DB")))
	if err != nil {
		return nil, err
	}
	disk.Inject(map[string]faultfs.Fault{
		"full":  {Ops: faultfs.Grow, Errno: syscall.ENOSPC, From: n},
		"error": {Ops: faultfs.Write, Errno: syscall.EIO, From: n, Once: true},
		"fsync": {Ops: faultfs.Sync, Errno: syscall.EIO, From: n, Once: true},
	}[kind])
	return disk, nil
}

// write appends messages to a session of its own and prints each message that was committed. In between it opens and
// closes the files of the library, as a file dialog in the process does, which drops this process's POSIX locks.
func write(args []string) error {
	seed, err1 := strconv.ParseUint(args[0], 10, 64)
	count, err2 := strconv.Atoi(args[1])
	drops, err3 := strconv.ParseBool(args[2])
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	ctx, chance := context.Background(), rand.New(rand.NewPCG(seed, 2))
	path := os.Getenv("COPPICE_DB")
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	s, err := db.CreateSession(ctx, core.Session{Title: args[3]})
	if err != nil {
		return err
	}
	parent := ""
	for _, text := range texts(args[3], count, func() int { return chance.IntN(400) }) {
		if drops && chance.IntN(3) == 0 {
			dropLocks(path)
			fmt.Println("dropped")
		}
		m, err := db.Append(ctx, s.ID, core.Message{ParentUID: parent, Role: core.RoleUser, Parts: []core.Part{{Type: core.PartText, Text: text}}})
		if err != nil {
			return err
		}
		fmt.Println("ack " + text)
		if chance.IntN(4) > 0 {
			parent = m.UID
		}
		time.Sleep(time.Duration(chance.IntN(30)) * time.Millisecond) // let other processes write
	}
	return nil
}

func dropLocks(path string) {
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if f, err := os.Open(name); err == nil {
			f.Close()
		}
	}
}

// process is the result of a process.
type process struct {
	out    string
	err    string
	code   int
	killed bool
}

// start runs a copy of this program until it ends, or kills it after a delay; 0: never. It calls each with each line of
// output.
func start(env []string, kill time.Duration, each func(line string), args ...string) (process, error) {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var stderr, stdout bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return process{}, err
	}
	if err := cmd.Start(); err != nil {
		return process{}, err
	}
	if kill > 0 {
		timer := time.AfterFunc(kill, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	lines := bufio.NewReader(pipe)
	for {
		line, err := lines.ReadString('\n')
		stdout.WriteString(line)
		if err != nil {
			break
		}
		if each != nil {
			each(strings.TrimSuffix(line, "\n"))
		}
	}
	err = cmd.Wait()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	p := process{out: stdout.String(), err: stderr.String(), code: cmd.ProcessState.ExitCode(), killed: status.Signaled() && status.Signal() == syscall.SIGKILL}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return p, err
	}
	return p, nil
}
