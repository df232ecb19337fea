package mirror

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coppice/app/internal/export"
	"coppice/app/internal/present"
	"coppice/app/internal/version"
	"coppice/backend/core"
	"coppice/backend/render/redact"
)

// file is the file of a session.
type file struct {
	session core.Session // as stored
	shown   core.Session // redacted, if the mirror is
	folder  string       // of the workspace
	path    string       // relative to the mirror's folder, with slashes
	top     *file        // the session that started it, through others or not; itself, if it is no subagent's
}

// plan returns the files of sessions, in the order of the index: by workspace, newest first, with the sessions of
// subagents after the one that started them, in a folder named after it.
func (u *update) plan(sessions []core.Session) []*file {
	files := make([]file, len(sessions))
	byID := make(map[string]*file, len(sessions))
	redactor := redact.New()
	for i, s := range sessions {
		files[i] = file{session: s, shown: s}
		if u.options.Redact {
			files[i].shown = redactor.Session(s)
		}
		byID[s.ID] = &files[i]
	}
	folders := workspaceFolders(files)
	for i := range files {
		f := &files[i]
		f.top = topOf(f, byID)
		f.folder = folders[f.top.shown.WorkspacePath]
		f.path = path.Join(f.folder, stem(f)+"."+u.options.Format)
		if f.top != f {
			f.path = path.Join(f.folder, stem(f.top), stem(f)+"."+u.options.Format)
		}
	}
	ordered := make([]*file, len(files))
	for i := range files {
		ordered[i] = &files[i]
	}
	slices.SortFunc(ordered, inIndex)
	return ordered
}

// inIndex compares files by their position in the index.
func inIndex(a, b *file) int {
	return cmp.Or(
		cmp.Compare(a.folder, b.folder),
		cmp.Compare(b.top.session.CreatedAtMs, a.top.session.CreatedAtMs), cmp.Compare(a.top.session.ID, b.top.session.ID),
		isChild(a)-isChild(b),
		cmp.Compare(a.session.CreatedAtMs, b.session.CreatedAtMs), cmp.Compare(a.session.ID, b.session.ID),
	)
}

// isChild returns 1 for the session of a subagent.
func isChild(f *file) int {
	if f.top == f {
		return 0
	}
	return 1
}

// topOf returns the session that, through others or not, started a subagent's.
func topOf(f *file, byID map[string]*file) *file {
	for range byID { // a cycle ends
		parent := byID[f.session.ParentID]
		if parent == nil || f.session.Relation != core.RelationSubagent {
			break
		}
		f = parent
	}
	return f
}

// stem returns the name of a session's file without its extension: the day, the title, and the end of the id, which is
// its random part.
func stem(f *file) string {
	const idLength = 8
	day := time.UnixMilli(f.session.CreatedAtMs).UTC().Format(time.DateOnly)
	id := f.session.ID[max(0, len(f.session.ID)-idLength):]
	if slug := export.Slug(present.SessionTitle(f.shown)); slug != "" {
		return day + "-" + slug + "-" + id
	}
	return day + "-" + id
}

// workspaceFolders returns a name for the folder of each workspace: its last element, with elements before it where
// two would have the same name.
func workspaceFolders(files []file) map[string]string {
	folders, taken := map[string]string{}, map[string]bool{}
	for _, f := range files {
		workspace := f.shown.WorkspacePath
		if folders[workspace] == "" {
			folders[workspace] = workspaceFolder(workspace, taken)
			taken[folders[workspace]] = true
		}
	}
	return folders
}

func workspaceFolder(workspace string, taken map[string]bool) string {
	elements := strings.FieldsFunc(workspace, func(r rune) bool { return r == '/' || r == '\\' })
	name := ""
	for i := len(elements) - 1; i >= 0; i-- {
		if slug := export.Slug(elements[i]); slug != "" {
			name = strings.Trim(slug+"-"+name, "-")
		}
		if folder := folderName(name); folder != "" && !taken[folder] {
			return folder
		}
	}
	if name == "" && !taken[noWorkspace] {
		return noWorkspace
	}
	sum := sha256.Sum256([]byte(workspace))
	return cmp.Or(name, noWorkspace) + "-" + hex.EncodeToString(sum[:4])
}

// noWorkspace is the folder of sessions without a workspace.
const noWorkspace = "no-workspace"

// folderName returns the name of a folder; Windows reserves some.
func folderName(name string) string {
	reserved := []string{"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}
	if slices.Contains(reserved, name) {
		return name + "-workspace"
	}
	return name
}

// fingerprint returns a hash of everything that the files of a session depend on.
func (u *update) fingerprint(ctx context.Context, f *file) (string, error) {
	labels, err := u.db.Labels(ctx, f.session.ID)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(struct {
		Program string
		Format  string
		Redact  bool
		Path    string
		Session core.Session
		Labels  []core.Label
	}{version.Number, u.options.Format, u.options.Redact, f.path, f.session, labels})
	if err != nil {
		return "", core.Wrap(core.Internal, err, "identify the state of session %s", f.session.ID)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// absolute returns the path of a file of the mirror for the operating system.
func (u *update) absolute(name string) string {
	return filepath.Join(u.options.Folder, filepath.FromSlash(name))
}
