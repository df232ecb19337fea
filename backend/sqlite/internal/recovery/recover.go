package recovery

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/checks"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/derive"
	"coppice/backend/sqlite/internal/runs"
	"coppice/backend/sqlite/internal/salvage"
	"coppice/backend/sqlite/internal/schema"
	"coppice/backend/sqlite/internal/search"
	"coppice/backend/sqlite/internal/statistics"
	"coppice/backend/sqlite/internal/store"
)

// Recover reads what is left of the damaged library at path, page by page, and writes it to a new library at output. The damaged file
// stays as it is. progress, which may be nil, is called with pages, then with sessions.
//
// Codes: NotFound if there is no file; Conflict if output exists; Corrupt if nothing can be read.
func Recover(ctx context.Context, path, output string, progress func(core.Progress)) (core.Recovery, error) {
	if progress == nil {
		progress = func(core.Progress) {}
	}
	report, err := recoverTo(ctx, path, output, progress)
	return report, conn.Fail(err, "recover the library %s", path)
}

// recoverTo writes beside the output and renames, so that there is never half a library.
func recoverTo(ctx context.Context, path, output string, progress func(core.Progress)) (report core.Recovery, err error) {
	if _, err := os.Lstat(output); !errors.Is(err, fs.ErrNotExist) {
		return report, core.E(core.Conflict, "%s exists", output).WithRemedy(core.ChooseOutput)
	}
	if err := conn.Unlock(path); err != nil {
		return report, err
	}
	from, err := salvage.Open(path)
	if err != nil {
		return report, core.Wrap(codeOfFile(err), err, "read %s", path)
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	folder, err := os.MkdirTemp(filepath.Dir(output), ".coppice-recover-*")
	if err != nil {
		return report, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the next recovery takes another one
	part := filepath.Join(folder, filepath.Base(output))
	if err := conn.MakeLike(part, path); err != nil {
		return report, err
	}
	defer cryptvfs.Forget(part)
	r := &recovery{from: from, progress: progress, sessions: map[int64]*recoveredRow{}}
	r.report = core.Recovery{Path: path, Output: output, Pages: from.PageCount(), Damaged: []string{}, Sessions: []core.RecoveredSession{}}
	if err := r.write(ctx, part); err != nil {
		return r.report, err
	}
	return r.report, os.Rename(part, output)
}

// write makes the new library, and checks it.
func (r *recovery) write(ctx context.Context, path string) (err error) {
	if r.to, err = schema.Current().Open(ctx, path, store.Options{}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.to.Close()) }()
	if err := r.relax(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.readShapes, r.load, r.removePacks, r.completeSessions, r.removeDamagedStates, r.removeOrphans, r.placeSessions} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if r.report.Messages == 0 && len(r.report.Sessions) == 0 {
		return core.E(core.Corrupt, "no session found in %d pages", r.from.PageCount())
	}
	r.reportDamage()
	if err := (&statistics.Store{Library: r.to}).CountActivity(ctx, nil); err != nil {
		return err
	}
	if err := (&derive.Store{Library: r.to}).DeriveAgain(ctx); err != nil {
		return err
	}
	if err := search.New(r.to).Index(ctx, nil); err != nil {
		return err
	}
	r.report.Problems, err = (&checks.Store{Library: r.to}).Check(ctx, nil)
	return err
}

// relax lets rows come in any order: a reference is checked when all are there. A crash costs nothing but time.
func (r *recovery) relax(ctx context.Context) error {
	return r.to.File.Exclusive(ctx, func(c *sqlx.Conn) error {
		_, err := c.ExecContext(ctx, `PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF`)
		return err
	})
}

// removeDamagedStates removes run states that differ from their hashes. A request that refers to one goes with it; a run stays.
func (r *recovery) removeDamagedStates(ctx context.Context) error {
	return r.to.Write(ctx, func(t *store.Txn) error {
		var keys []int64
		if err := t.All(ctx, &keys, `SELECT key FROM run_states`); err != nil {
			return err
		}
		for _, key := range keys {
			if err := runs.VerifyState(ctx, t, key); core.CodeOf(err) != core.Corrupt {
				if err != nil {
					return err
				}
				continue
			}
			if _, err := t.Exec(ctx, `DELETE FROM run_states WHERE key = ?`, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeOrphans removes rows that refer to what was lost, or only the reference where a row may be without.
func (r *recovery) removeOrphans(ctx context.Context) error {
	return r.to.Write(ctx, func(t *store.Txn) error {
		var references []struct {
			Child, Column, Parent, Key string
			Optional                   bool
		}
		const query = `SELECT t.name AS child, f."from" AS "column", f."table" AS parent, coalesce(f."to", 'key') AS key,
			f.on_delete <> 'CASCADE' AND c."notnull" = 0 AND c.pk = 0 AS optional
			FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) f JOIN pragma_table_info(t.name) c ON c.name = f."from" WHERE t.schema = 'main'`
		if err := t.All(ctx, &references, query); err != nil {
			return err
		}
		for range 2 { // removing a run removes what refers to it
			for _, f := range references {
				remove := `DELETE FROM ` + f.Child
				if f.Optional {
					remove = `UPDATE ` + f.Child + ` SET ` + f.Column + ` = NULL`
				}
				remove += ` WHERE ` + f.Column + ` IS NOT NULL AND ` + f.Column + ` NOT IN (SELECT ` + f.Key + ` FROM ` + f.Parent + `)`
				if _, err := t.Exec(ctx, remove); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// sortSessions orders the report: what is incomplete first, then by title.
func (r *recovery) sortSessions() {
	for _, s := range r.sessions {
		r.report.Sessions = append(r.report.Sessions, s.RecoveredSession)
		r.report.Messages += s.Saved
		r.report.Expected += max(s.Expected, 0)
		if s.IsWhole() {
			r.report.Whole++
		}
	}
	slices.SortFunc(r.report.Sessions, func(a, b core.RecoveredSession) int {
		if a.IsWhole() != b.IsWhole() {
			if b.IsWhole() {
				return -1
			}
			return 1
		}
		return compareText(a.Title, b.Title, a.ID, b.ID)
	})
}
