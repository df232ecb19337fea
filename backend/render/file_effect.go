package render

import (
	"context"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/toolcall/diff"
)

// Effect is the effect of a branch on a file. One without changes did not touch it.
type Effect struct {
	Added   int64 `json:"added"` // lines, summed over its changes
	Removed int64 `json:"removed"`
	Changes int64 `json:"changes"`
	Created bool  `json:"created"`
	Deleted bool  `json:"deleted"` // the file does not exist at the end
}

// FileEffect is the effect of two branches on one file.
type FileEffect struct {
	Path  string `json:"path"` // relative to the workspace if inside it
	Left  Effect `json:"left"`
	Right Effect `json:"right"`
	Same  bool   `json:"same"`  // both left it with the same contents
	Known bool   `json:"known"` // the contents at the end of both are known, so they can be compared
}

// FileEffects is the effect of two branches on files, by path.
type FileEffects struct {
	Files   []FileEffect `json:"files"`   // never nil
	Omitted int64        `json:"omitted"` // number of files left out because there are too many
}

// FileComparison compares the results of two branches for one file.
type FileComparison struct {
	Path    string     `json:"path"`
	Known   bool       `json:"known"`   // the contents at the end of both are known, so Between is complete
	Between FileDiff   `json:"between"` // from the left result to the right result
	Left    []FileDiff `json:"left"`    // the changes of each, if the end is not known; never nil
	Right   []FileDiff `json:"right"`
}

// Branch is one of two branches to compare: the path to a message, from a depth on.
type Branch struct {
	LeafUID string
	From    int64
	// Changes are the changes with contents before and after in the store, in order.
	Changes []core.FileChange
}

const (
	maxEffects = 2000
	// effectPage is how many messages are read at once.
	effectPage = 200
)

// Effects returns the effects of two branches of a session on files: as their tool calls report them, and as the store
// recorded them.
func (r *Renderer) Effects(ctx context.Context, store Store, session core.Session, left, right Branch) (FileEffects, error) {
	var sides [2]*fileLog
	for i, branch := range []Branch{left, right} {
		log, err := r.fileLog(ctx, store, session, branch, "")
		if err != nil {
			return FileEffects{Files: []FileEffect{}}, err
		}
		sides[i] = log
	}
	paths := slices.Concat(sides[0].paths(), sides[1].paths())
	slices.Sort(paths)
	paths = slices.Compact(paths)
	effects := FileEffects{Files: []FileEffect{}, Omitted: int64(max(0, len(paths)-maxEffects))}
	for _, path := range paths[:min(len(paths), maxEffects)] {
		leftHash, rightHash, known := ends(sides[0], sides[1], path)
		effects.Files = append(effects.Files, FileEffect{
			Path: path, Left: *sides[0].effect(path), Right: *sides[1].effect(path), Known: known, Same: known && leftHash == rightHash,
		})
	}
	return effects, nil
}

// CompareFile compares the results of two branches of a session for one file, by its path in FileEffects.
func (r *Renderer) CompareFile(ctx context.Context, store Store, session core.Session, left, right Branch, path string) (FileComparison, error) {
	c := FileComparison{Path: path, Between: FileDiff{Path: path, Hunks: []Hunk{}}, Left: []FileDiff{}, Right: []FileDiff{}}
	var sides [2]*fileLog
	for i, branch := range []Branch{left, right} {
		log, err := r.fileLog(ctx, store, session, branch, path)
		if err != nil {
			return c, err
		}
		sides[i] = log
	}
	leftHash, rightHash, known := ends(sides[0], sides[1], path)
	if known {
		texts, ok, err := contents(ctx, store, leftHash, rightHash)
		if err != nil {
			return c, err
		}
		if ok {
			file := diff.Compute(path, texts[0], texts[1], true)
			file.Created = false
			c.Known, c.Between = true, r.diffs([]patch.File{file}, session.WorkspacePath)[0]
			return c, nil
		}
	}
	c.Left = r.diffs(sides[0].files, session.WorkspacePath)
	c.Right = r.diffs(sides[1].files, session.WorkspacePath)
	return c, nil
}

// ends returns the contents of a file at the ends of the branches; empty: none. A branch that did not touch it has the
// contents that the other one found.
func ends(left, right *fileLog, path string) (leftHash, rightHash string, known bool) {
	l, inLeft := left.known[path]
	r, inRight := right.known[path]
	switch {
	case inLeft && inRight:
		return l.AfterHash, r.AfterHash, true
	case inLeft && right.effect(path).Changes == 0:
		return l.AfterHash, l.BeforeHash, true
	case inRight && left.effect(path).Changes == 0:
		return r.BeforeHash, r.AfterHash, true
	}
	return "", "", false
}

// contents reads two texts; ok is false if one is missing or is not text.
func contents(ctx context.Context, store Store, hashes ...string) (texts []string, ok bool, err error) {
	for _, hash := range hashes {
		if hash == "" {
			texts = append(texts, "")
			continue
		}
		blob, err := store.Blob(ctx, hash)
		if core.CodeOf(err) == core.NotFound {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, core.Wrap(core.CodeOf(err), err, "read what a file holds")
		}
		if strings.IndexByte(string(blob.Data[:min(len(blob.Data), 8<<10)]), 0) >= 0 {
			return nil, false, nil
		}
		texts = append(texts, string(blob.Data))
	}
	return texts, true, nil
}

// fileLog is the effect of a branch on files.
type fileLog struct {
	effects map[string]*Effect
	known   map[string]core.FileChange // from before its first change to after its last
	files   []patch.File               // of the requested file
	wanted  string
}

func (l *fileLog) paths() []string {
	paths := make([]string, 0, len(l.effects))
	for path := range l.effects {
		paths = append(paths, path)
	}
	return paths
}

func (l *fileLog) effect(path string) *Effect {
	e := l.effects[path]
	if e == nil {
		e = &Effect{}
		l.effects[path] = e
	}
	return e
}

// fileLog reads the calls of a branch, one page of messages at a time, and collects the diffs of one file.
func (r *Renderer) fileLog(ctx context.Context, store Store, session core.Session, branch Branch, wanted string) (*fileLog, error) {
	log := &fileLog{effects: map[string]*Effect{}, known: map[string]core.FileChange{}, wanted: wanted}
	open := map[string]core.Part{}
	for from := branch.From; ; from += effectPage {
		window, err := store.Window(ctx, session.ID, branch.LeafUID, from, effectPage)
		if err != nil {
			return nil, core.Wrap(core.CodeOf(err), err, "read what a branch changed")
		}
		for m := range window.Messages {
			for i := range window.Messages[m].Parts {
				part := &window.Messages[m].Parts[i]
				switch part.Type {
				case core.PartToolCall:
					open[part.ID] = *part
				case core.PartToolResult:
					asked, ok := open[part.ID]
					if ok && !part.IsError {
						log.add(r.call(&asked).Changes(part.Structured), session.WorkspacePath)
					}
					delete(open, part.ID)
				default:
				}
			}
		}
		if int64(len(window.Messages)) < effectPage {
			break
		}
	}
	log.learn(branch.Changes)
	return log, nil
}

// add counts the changes of a call.
func (l *fileLog) add(files []patch.File, workspace string) {
	for _, file := range files {
		path := plain.Line(relative(file.Path, workspace), targetLength)
		if path == "" {
			continue
		}
		e := l.effect(path)
		added, removed := file.Counts()
		e.Added, e.Removed, e.Changes = e.Added+added, e.Removed+removed, e.Changes+1
		e.Created, e.Deleted = e.Created || file.Created, file.Deleted
		if path == l.wanted && len(l.files) < maxFiles {
			l.files = append(l.files, file)
		}
	}
}

// learn adds the changes in the store: also those that no call names, because a command may change any file.
func (l *fileLog) learn(changes []core.FileChange) {
	for _, change := range changes {
		path := plain.Line(change.Path, targetLength)
		known, seen := l.known[path]
		if !seen {
			known = change
		}
		known.AfterHash = change.AfterHash
		l.known[path] = known
	}
	for path, change := range l.known {
		_, named := l.effects[path]
		e := l.effect(path)
		if !named {
			e.Changes = 1
		}
		e.Created, e.Deleted = change.BeforeHash == "", change.AfterHash == ""
	}
}
