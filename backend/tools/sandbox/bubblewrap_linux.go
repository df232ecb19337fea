package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
)

// bubblewrapWorks reports whether bubblewrap is installed and may create namespaces on this machine.
func bubblewrapWorks() bool {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return false
	}
	return exec.Command(bwrap, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true").Run() == nil //nolint:gosec // found in the PATH of the user
}

// bubblewrapped returns the command run by bubblewrap, with narrow binds: the home folder has only the named paths.
func bubblewrapped(o order, program string) (string, []string, error) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return "", nil, err
	}
	args := []string{bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"}
	if o.offline() {
		args = append(args, "--seccomp", "3")
	}
	if o.Level.Network && !o.Reading {
		args = append(args, "--share-net")
	}
	bound := map[string]bool{}
	for _, path := range append(systemFolders(), o.Readable...) {
		args = append(args, bind("--ro-bind", path, bound)...)
	}
	for _, path := range o.Writable {
		args = append(args, bind("--bind", path, bound)...)
	}
	args = append(args, "--chdir", o.Dir, "--", program)
	return bwrap, append(args, o.Args[1:]...), nil
}

// bind binds a path to itself, once. A link, such as /lib on most systems, is created as a link; a missing path is left
// out.
func bind(how, path string, bound map[string]bool) []string {
	if bound[how+path] {
		return nil
	}
	bound[how+path] = true
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	if info.Mode()&os.ModeSymlink == 0 {
		return []string{how, path, path}
	}
	target, err := os.Readlink(path)
	if err != nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || bound["link"+path] {
		return nil
	}
	bound["link"+path] = true
	return []string{how, real, real, "--symlink", target, path}
}
