package tools

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"coppice/backend/core"
)

const (
	maxEditedBytes = 64 << 20 // of a file that is read as a whole
	maxBlobBytes   = 8 << 20  // of a content that is stored with the result; of a larger one only the hash is stored
	maxDiffBytes   = 1 << 20  // of a file whose changes are shown
	newFileMode    = 0o644
)

// change is a planned change of one file.
type change struct {
	path    string
	before  []byte
	existed bool
	after   []byte
	removed bool
	mode    fs.FileMode // current or future
}

// load reads a file that is to be changed. A missing file is not an error: existed is false then.
func (w *workspace) load(at string) (change, error) {
	c := change{path: at, mode: newFileMode}
	info, err := w.root.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	switch {
	case err != nil:
		return c, explain(err, at)
	case info.IsDir():
		return c, core.E(core.Invalid, "%s is a folder", at)
	case !info.Mode().IsRegular():
		return c, core.E(core.Invalid, "%s is not a regular file", at)
	case info.Size() > maxEditedBytes:
		return c, core.E(core.Invalid, "%s is too large to change (%d bytes)", at, info.Size())
	}
	c.mode, c.existed = info.Mode().Perm(), true
	if c.before, err = w.root.ReadFile(at); err != nil {
		return c, explain(err, at)
	}
	return c, nil
}

// apply makes all changes or none: if one fails, those already made are undone. A file that has changed since it was
// loaded is left alone.
func (w *workspace) apply(changes []change) error {
	staged := make([]string, len(changes))
	defer func() {
		for _, temp := range staged {
			if temp != "" {
				_ = w.root.Remove(temp) // exists only if it was not needed
			}
		}
	}()
	for i := range changes {
		var err error
		if staged[i], err = w.stage(&changes[i]); err != nil {
			return explain(err, changes[i].path)
		}
	}
	for i := range changes {
		if err := w.put(&changes[i], staged[i]); err != nil {
			return errors.Join(explain(err, changes[i].path), w.takeBack(changes[:i]))
		}
		staged[i] = ""
	}
	return nil
}

// stage writes the new content to a temporary file beside the target and returns its path; empty for a removal.
func (w *workspace) stage(c *change) (string, error) {
	if c.removed {
		return "", nil
	}
	folder := path.Dir(c.path)
	if err := w.root.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	temp := path.Join(folder, ".coppice-"+rand.Text()+".tmp")
	file, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, c.mode)
	if err != nil {
		return "", err
	}
	_, err = file.Write(c.after)
	err = errors.Join(err, file.Chmod(c.mode), file.Sync(), file.Close())
	if err != nil {
		return "", errors.Join(err, w.root.Remove(temp))
	}
	return temp, nil
}

// put makes one change.
func (w *workspace) put(c *change, temp string) error {
	now, err := w.load(c.path)
	if err != nil {
		return err
	}
	if now.existed != c.existed || !bytes.Equal(now.before, c.before) {
		return core.E(core.Conflict, "%s was changed in the meantime; read it again", c.path)
	}
	if c.removed {
		return w.root.Remove(c.path)
	}
	return w.root.Rename(temp, c.path)
}

// takeBack undoes changes that were made.
func (w *workspace) takeBack(made []change) error {
	var all error
	for i := len(made) - 1; i >= 0; i-- {
		c := made[i]
		undo := change{path: c.path, before: c.after, existed: !c.removed, after: c.before, removed: !c.existed, mode: c.mode}
		if c.removed {
			undo.before = nil
		}
		temp, err := w.stage(&undo)
		if err == nil {
			err = w.put(&undo, temp)
		}
		if err != nil {
			all = errors.Join(all, fmt.Errorf("%s could not be put back: %w", c.path, err))
		}
	}
	return all
}

// changed returns the result for changes that were made.
func changed(text string, changes []change) core.ToolResult {
	result := core.TextResult(text)
	keep := func(content []byte) string {
		hash := core.Hash(content)
		if len(content) <= maxBlobBytes {
			result.Blobs = append(result.Blobs, core.Blob{Hash: hash, MimeType: http.DetectContentType(content), Data: content})
		}
		return hash
	}
	var diffs []string
	for _, c := range changes {
		record := core.FileChange{Path: c.path, Mode: uint32(c.mode)}
		if c.existed {
			record.BeforeHash = keep(c.before)
		}
		if !c.removed {
			record.AfterHash = keep(c.after)
		}
		result.Changes = append(result.Changes, record)
		if diff := c.diff(); diff != "" {
			diffs = append(diffs, diff)
		}
	}
	if structured, err := json.Marshal(map[string]string{"diff": strings.Join(diffs, "")}); err == nil {
		result.Structured = structured
	}
	return result
}

// diff returns a change as a unified diff for the user; empty if the file is not text or is too large.
func (c *change) diff() string {
	if len(c.before) > maxDiffBytes || len(c.after) > maxDiffBytes || isBinary(c.before) || isBinary(c.after) {
		return ""
	}
	before, after := "a/"+c.path, "b/"+c.path
	if !c.existed {
		before = "/dev/null"
	}
	if c.removed {
		after = "/dev/null"
	}
	return udiff.Unified(before, after, string(c.before), string(c.after))
}

// counts returns the numbers of added and removed lines.
func (c *change) counts() string {
	added, removed := 0, 0
	for line := range strings.SplitSeq(c.diff(), "\n") {
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return fmt.Sprintf("+%d −%d", added, removed)
}

// isBinary reports whether the beginning of a content has a NUL, the test that git uses.
func isBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0
}

// accessTo returns the access that a change of files requests.
func accessTo(title string, changes []change) core.Access {
	a := core.Access{Effect: core.EffectWrite, Title: title}
	var preview strings.Builder
	for _, c := range changes {
		a.Targets = append(a.Targets, c.path)
		a.Prefixes = append(a.Prefixes, folderPrefix(c.path))
		if a.Risk == "" {
			a.Risk = dangerIn(c.path)
		}
		preview.WriteString(c.diff())
	}
	for _, c := range changes {
		preview.WriteString(c.unshown())
	}
	a.Preview = preview.String()
	return a
}

// unshown describes a change whose diff is not shown.
func (c *change) unshown() string {
	switch {
	case c.existed && !c.removed && bytes.Equal(c.before, c.after), c.diff() != "":
		return ""
	case c.removed:
		return fmt.Sprintf("%s: its %d bytes are not shown\n", c.path, len(c.before))
	case len(c.after) == 0:
		return c.path + ": empty\n"
	default:
		return fmt.Sprintf("%s: the %d bytes that are written are not shown\n", c.path, len(c.after))
	}
}
