package merge

import (
	"context"
	"encoding/json"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/tables"
)

// fileList is a list of changed files as it is stored; NULL: not known.
type fileList struct {
	Own   bool
	Files *string
}

// filesModified returns the files that the session changed, after a source lists again which ones it knows of. A source may take
// a file back: an edit fails after its call was imported.
func filesModified(ctx context.Context, m *merge, s, in *core.Session) ([]string, error) {
	if m.in.Keep || m.older || in.SourceID == "" {
		return tables.SortedSet(s.FilesModified, in.FilesModified), nil
	}
	var lists []fileList
	const of = `SELECT source_id = ? AND source = ? AS own, files_modified AS files FROM origins WHERE session = ?`
	if err := m.All(ctx, &lists, of, in.SourceID, in.Source, m.Key); err != nil {
		return nil, err
	}
	var engine []string
	if err := m.All(ctx, &engine, `SELECT DISTINCT path FROM file_changes WHERE session = ?`, m.Key); err != nil {
		return nil, err
	}
	kept, before := slices.Concat(in.FilesModified, engine), []string(nil)
	for _, l := range lists {
		var files []string
		switch {
		case l.Files != nil:
			if err := json.Unmarshal([]byte(*l.Files), &files); err != nil {
				return nil, core.Wrap(core.Corrupt, err, "read the list of files of session %s", s.ID)
			}
		case len(lists) == 1 && l.Own:
			files = s.FilesModified // of a library that did not store whose files they are
		}
		if l.Own {
			before = files
		} else {
			kept = append(kept, files...)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(s.FilesModified), func(file string) bool {
		return slices.Contains(before, file) && !slices.Contains(kept, file)
	})
	if len(rest) < len(s.FilesModified) {
		if whole, err := cameWhole(ctx, m); err != nil || !whole {
			return tables.SortedSet(s.FilesModified, in.FilesModified), err
		}
	}
	return tables.SortedSet(rest, in.FilesModified), nil
}

// cameWhole reports whether the source holds every message that is not Coppice's own. Some tools cut the beginning off their files,
// which says nothing of the files that were changed there.
func cameWhole(ctx context.Context, m *merge) (bool, error) {
	var imported int
	err := m.Get(ctx, &imported, `SELECT count(*) FROM messages WHERE session = ? AND run IS NULL`, m.Key)
	return imported <= len(m.Order), err
}

// takeFiles stores which files the source lists. What comes with an archive is not from a source: no source takes it back.
func takeFiles(ctx context.Context, m *merge) error {
	in := &m.in.Session
	if m.older || in.SourceID == "" || m.in.Keep && !m.merged.Created {
		return nil
	}
	files := in.FilesModified
	if m.in.Keep {
		files = nil
	}
	list, err := json.Marshal(tables.SortedSet(files))
	if err != nil {
		return core.Wrap(core.Internal, err, "encode the list of files")
	}
	const put = `UPDATE origins SET files_modified = ?1 WHERE source_id = ?2 AND source = ?3 AND session = ?4 AND files_modified IS NOT ?1`
	_, err = m.Exec(ctx, put, string(list), in.SourceID, in.Source, m.Key)
	return err
}
