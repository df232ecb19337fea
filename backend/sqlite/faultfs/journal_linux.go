package faultfs

import (
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sectorBytes is what a disk writes at once: a write is torn between sectors, never inside one.
const sectorBytes = 512

// journal is what was done to files since they were last synced.
type journal struct{ files map[string]*file }

// file is a file as the disk has it, and the changes that the disk need not have yet.
type file struct {
	durable []byte
	exists  bool // on the disk
	pending []change
}

// change is a write, a truncation or a removal.
type change struct {
	kind   Op
	offset int64 // of a write
	data   []byte
	size   int64 // of a truncation
}

// Record keeps from now on what is written since the last fsync of each file. What is on the disk now counts as synced.
func (d *Disk) Record() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.journal = &journal{files: map[string]*file{}}
}

// note adds a change to the journal, before it is done.
func (d *Disk) note(path string, add func(*file)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.journal == nil || isShared(path) {
		return
	}
	f := d.journal.files[path]
	if f == nil {
		data, err := os.ReadFile(path)
		f = &file{durable: data, exists: err == nil && len(data) > 0}
		d.journal.files[path] = f
	}
	add(f)
}

// noteFolderSync makes removals durable.
func (d *Disk) noteFolderSync() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.journal == nil {
		return
	}
	for _, f := range d.journal.files {
		if last := slices.IndexFunc(f.pending, func(c change) bool { return c.kind == Remove }); last >= 0 {
			f.durable, f.exists, f.pending = nil, false, f.pending[last+1:]
		}
	}
}

// Pending returns how many changes of a file the disk need not have yet.
func (d *Disk) Pending(path string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.journal == nil || d.journal.files[path] == nil {
		return 0
	}
	return len(d.journal.files[path].pending)
}

func (f *file) wrote(offset int64, data []byte) {
	f.pending = append(f.pending, change{kind: Write, offset: offset, data: append([]byte(nil), data...)})
}

func (f *file) cut(size int64) { f.pending = append(f.pending, change{kind: Truncate, size: size}) }

func (f *file) remove() { f.pending = append(f.pending, change{kind: Remove}) }

// synced makes all changes durable.
func (f *file) synced() {
	image := image{f.durable, true}
	for _, c := range f.pending {
		image.apply(c, nil)
	}
	f.durable, f.exists, f.pending = image.data, image.exists, nil
}

// image is a file on its way through changes.
type image struct {
	data   []byte
	exists bool
}

// apply does a change; of a write only those sectors that the choice keeps. A nil choice keeps all.
func (i *image) apply(c change, keep func() bool) {
	switch c.kind {
	case Remove:
		i.data, i.exists = nil, false
	case Truncate:
		i.resize(c.size)
	default:
		i.exists = true
		i.write(c, keep)
	}
}

func (i *image) write(c change, keep func() bool) {
	for from := int64(0); from < int64(len(c.data)); {
		at := c.offset + from
		to := min(int64(len(c.data)), from+sectorBytes-at%sectorBytes)
		if keep == nil || keep() {
			i.resize(max(int64(len(i.data)), c.offset+to))
			copy(i.data[at:], c.data[from:to])
		}
		from = to
	}
}

func (i *image) resize(size int64) {
	for int64(len(i.data)) < size {
		i.data = append(i.data, make([]byte, size-int64(len(i.data)))...)
	}
	i.data = i.data[:size]
}

// PowerLoss writes to a new folder what a power loss at this moment leaves of the files: of each change since the last fsync, the disk has
// all, nothing, or some sectors, by chance. Files that SQLite did not change are copied.
func (d *Disk) PowerLoss(chance *rand.Rand, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	images := map[string]image{}
	err := filepath.WalkDir(d.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreMissing(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || isShared(path) && chance.IntN(2) == 0 {
			return ignoreMissing(err) // a map of memory is left as it was, or not at all
		}
		images[path] = image{data, true}
		return nil
	})
	if err != nil {
		return err
	}
	if d.journal != nil {
		for _, path := range slices.Sorted(maps.Keys(d.journal.files)) {
			images[path] = d.journal.files[path].after(chance)
		}
	}
	for path, i := range images {
		if i.exists {
			err = errors.Join(err, writeFile(filepath.Join(to, strings.TrimPrefix(path, d.folder)), i.data))
		}
	}
	return err
}

// after returns what a power loss leaves of a file.
func (f *file) after(chance *rand.Rand) image {
	i := image{slices.Clone(f.durable), f.exists}
	coin := func() bool { return chance.IntN(2) == 0 }
	keepAll, keepNone := chance.IntN(4) == 0, chance.IntN(4) == 0
	for _, c := range f.pending {
		switch outcome := chance.IntN(3); {
		case keepNone && !keepAll:
		case keepAll || outcome == 0:
			i.apply(c, nil)
		case outcome == 1 && c.kind == Write:
			i.apply(c, coin)
		}
	}
	return i
}

// isShared reports whether a file is SQLite's shared memory, which is written through a map and means nothing after a restart.
func isShared(path string) bool { return strings.HasSuffix(path, "-shm") }

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// Changed returns the paths of the files that SQLite changed since Record.
func (d *Disk) Changed() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.journal == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(d.journal.files))
}
