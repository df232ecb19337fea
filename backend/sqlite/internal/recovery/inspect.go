package recovery

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/salvage"
)

// Inspect reports what could be recovered of a library, which need not be one that can be opened. It writes nothing.
func Inspect(ctx context.Context, path string, progress func(core.Progress)) (core.Recovery, error) {
	r := &recovery{progress: progress, sessions: map[int64]*recoveredRow{}}
	if progress == nil {
		r.progress = func(core.Progress) {}
	}
	r.report = core.Recovery{Path: path, Damaged: []string{}, Sessions: []core.RecoveredSession{}, Problems: []string{}}
	err := r.inspect(ctx, path)
	return r.report, conn.Fail(err, "inspect the library %s", path)
}

func (r *recovery) inspect(ctx context.Context, path string) (err error) {
	if err := conn.Unlock(path); err != nil {
		return err
	}
	if r.from, err = salvage.Open(path); err != nil {
		return core.Wrap(codeOfFile(err), err, "read %s", path)
	}
	defer r.from.Close() //nolint:errcheck // it was only read
	r.report.Pages = r.from.PageCount()
	progress := func(done, total int64) { r.progress(core.Progress{Done: done, Total: total, Current: "pages"}) }
	for row, err := range r.from.Rows(ctx, progress) {
		if err != nil {
			return err
		}
		r.count(&row)
	}
	for _, s := range r.sessions {
		r.report.Sessions = append(r.report.Sessions, s.RecoveredSession)
		r.report.Expected += max(s.Expected, 0)
	}
	r.reportDamage()
	return nil
}

// count counts a row by the columns that every version has: a session has its id, title and number of messages, a message its session.
func (r *recovery) count(row *salvage.Row) {
	const sessionTitle, sessionCount, messageSession = 3, 20, 1
	if row.Keyed {
		return
	}
	switch {
	case row.Owner == "sessions" && len(row.Values) > sessionCount:
		s := r.session(row.RowID)
		s.ID, _ = row.Values[1].(string)
		s.Title, _ = row.Values[sessionTitle].(string)
		s.Expected, _ = row.Values[sessionCount].(int64)
	case row.Owner == "messages" && len(row.Values) > messageSession:
		if key, ok := row.Values[messageSession].(int64); ok {
			r.session(key).Saved++
			r.report.Messages++
		}
	}
}
