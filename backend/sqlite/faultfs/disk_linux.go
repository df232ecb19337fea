package faultfs

import (
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Op is a kind of system call that changes a file.
type Op int

// The kinds of system calls. They can be combined.
const (
	Write    Op = 1 << iota // pwrite and write
	Sync                    // fsync
	Truncate                // ftruncate
	Create                  // open of a file that does not exist yet
	Open                    // open of an existing file for writing
	Remove                  // unlink
)

// Grow is every call that needs room on the disk.
const Grow = Write | Create

// Change is every call that a disk refuses after it was remounted read-only.
const Change = Write | Sync | Truncate | Create | Open | Remove

// Fault is a failure of system calls. The zero value is none.
type Fault struct {
	Ops   Op            // which calls fail
	From  int           // the first one that fails, counted from 1 since Inject
	Once  bool          // only that one fails, not those after it
	Short bool          // the first write that fails writes its first half; those after it fail with Errno
	Errno syscall.Errno // what the call fails with
	File  string        // only calls on files whose names end in it
}

// Disk is the files below a folder as SQLite sees them. It is safe for concurrent use.
type Disk struct {
	folder string
	calls  *calls

	mu      sync.Mutex
	fault   Fault
	count   int // calls of the fault's kinds since Inject
	journal *journal
	watch   func(op Op, path string)
}

// Install puts a disk between SQLite and the files below a folder. Close removes it. Until then the caller must keep it reachable: SQLite
// knows only the addresses of its functions.
func Install(folder string) (*Disk, error) {
	folder, err := filepath.EvalSymlinks(folder) // as /proc names open files
	if err != nil {
		return nil, err
	}
	d := &Disk{folder: folder}
	d.calls, err = divert(d)
	return d, err
}

// Close gives SQLite the operating system back.
func (d *Disk) Close() error { return d.calls.restore() }

// Inject lets calls fail from now on, in place of what failed before. Inject(Fault{}) ends all faults.
func (d *Disk) Inject(f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault, d.count = f, 0
}

// Count returns how many calls of the fault's kinds there were since Inject.
func (d *Disk) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// Watch calls f before each call that changes a file below the folder; nil ends that.
func (d *Disk) Watch(f func(op Op, path string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = f
}

// verdict is what happens to a call.
type verdict struct {
	errno syscall.Errno // 0: it is done
	short bool          // its first half is done
}

// judge counts a call and decides whether it fails.
func (d *Disk) judge(op Op, path string) verdict {
	d.mu.Lock()
	watch := d.watch
	d.mu.Unlock()
	if watch != nil {
		watch(op, path)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.fault
	if f.Ops&op == 0 || !strings.HasSuffix(path, f.File) {
		return verdict{}
	}
	d.count++
	if f.From == 0 || d.count < f.From || f.Once && d.count > f.From {
		return verdict{}
	}
	if f.Short && op == Write && d.count == f.From {
		return verdict{short: true}
	}
	return verdict{errno: f.Errno}
}

// holds reports whether a path is below the folder.
func (d *Disk) holds(path string) bool { return strings.HasPrefix(path, d.folder+"/") }

// pathOf returns the path of an open file below the folder; false for other files.
func (d *Disk) pathOf(fd int32) (string, bool) {
	buffer := make([]byte, unix.PathMax)
	n, err := unix.Readlink("/proc/self/fd/"+strconv.Itoa(int(fd)), buffer)
	if err != nil {
		return "", false
	}
	path := string(buffer[:n])
	return path, d.holds(path)
}
