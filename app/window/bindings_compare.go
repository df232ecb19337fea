package window

import (
	"context"

	"coppice/app/internal/find"
	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/sqlite"
)

// mostComparedRows is the largest number of rows of a comparison that one call returns.
const mostComparedRows = 500

// CompareBindings compare two branches of a session.
type CompareBindings struct{ *program }

// Compare aligns the paths to two messages, from their last common message, and returns a range of the rows.
func (b *CompareBindings) Compare(sessionID, leftUID, rightUID string, from, limit int64) (core.Comparison, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Comparison, error) {
		b.changes.Watch(sessionID)
		return db.Compare(ctx, sessionID, leftUID, rightUID, from, min(max(limit, 1), mostComparedRows))
	})
}

// CompareWords compares the texts of a range of each path, word by word.
func (b *CompareBindings) CompareWords(sessionID string, left, right render.PathRange) (render.WordDiff, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (render.WordDiff, error) {
		session, err := db.Session(ctx, sessionID)
		if err != nil {
			return render.WordDiff{}, err
		}
		return b.render.CompareWords(ctx, db, session, left, right)
	})
}

// CompareFiles returns the changes of two branches to files, from their last common message. A new call ends the previous
// call with the code canceled, because long branches take a while.
func (b *CompareBindings) CompareFiles(sessionID, leftUID, rightUID string) (render.FileEffects, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (render.FileEffects, error) {
		ctx, done := b.comparisons.begin(ctx)
		defer done()
		session, left, right, err := find.Branches(ctx, db, sessionID, leftUID, rightUID)
		if err != nil {
			return render.FileEffects{}, err
		}
		return b.render.Effects(ctx, db, session, left, right)
	})
}

// CompareFile returns the changes of two branches to a file, by its path in CompareFiles.
func (b *CompareBindings) CompareFile(sessionID, leftUID, rightUID, path string) (render.FileComparison, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (render.FileComparison, error) {
		session, left, right, err := find.Branches(ctx, db, sessionID, leftUID, rightUID)
		if err != nil {
			return render.FileComparison{}, err
		}
		return b.render.CompareFile(ctx, db, session, left, right, path)
	})
}
