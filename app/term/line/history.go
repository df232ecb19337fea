package line

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"coppice/backend/durable"
)

// keptEntries is the maximum number of entries of a history.
const keptEntries = 1000

// History is what was entered before, newest last. It is stored in a file with one JSON string per line. If the file
// cannot be written, only the entries of this process are lost.
type History struct {
	path    string
	entries []string
}

// OpenHistory reads a history. It is empty if the file does not exist. Damaged lines are skipped.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer func() { _ = file.Close() }() // the file is only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var entry string
		if json.Unmarshal(lines.Bytes(), &entry) == nil {
			h.entries = append(h.entries, entry)
		}
	}
	if long := len(h.entries) > 2*keptEntries; len(h.entries) > keptEntries {
		h.entries = h.entries[len(h.entries)-keptEntries:]
		if long {
			err = h.rewrite()
		}
	}
	return h, errors.Join(err, lines.Err())
}

// rewrite writes the file with the entries that the history holds.
func (h *History) rewrite() error {
	var all []byte
	for _, entry := range h.entries {
		all = append(all, encoded(entry)...)
	}
	return durable.Write(h.path, func(file *os.File) error {
		_, err := file.Write(all)
		return err
	})
}

func encoded(entry string) []byte {
	data, err := json.Marshal(entry)
	if err != nil { // encoding a string does not fail
		return nil
	}
	return append(data, '\n')
}

// Add appends an entry, unless it is blank or equal to the last entry.
func (h *History) Add(entry string) error {
	if strings.TrimSpace(entry) == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == entry {
		return nil
	}
	h.entries = append(h.entries, entry)
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(h.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(encoded(entry))
	return errors.Join(err, file.Close())
}

// find returns the index of the next entry that begins with prefix, and whether one exists. A direction of -1 searches
// older entries.
func (h *History) find(from, direction int, prefix string) (int, bool) {
	if h == nil {
		return from, false
	}
	for i := from + direction; i >= 0 && i < len(h.entries); i += direction {
		if strings.HasPrefix(h.entries[i], prefix) {
			return i, true
		}
	}
	return from, false
}

func (h *History) len() int {
	if h == nil {
		return 0
	}
	return len(h.entries)
}
