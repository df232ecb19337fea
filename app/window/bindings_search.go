package window

import (
	"context"

	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// SearchBindings search the library.
type SearchBindings struct{ *program }

// Search looks for messages. A new search ends the previous search with the code canceled.
func (b *SearchBindings) Search(query core.SearchQuery) (core.Found, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.Found, error) {
		ctx, done := b.searches.begin(ctx)
		defer done()
		return db.Search(ctx, query)
	})
}

// CountHits counts the hits of a search without a limit. A new count ends the previous count with the code canceled.
func (b *SearchBindings) CountHits(query core.SearchQuery) (core.HitCount, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.HitCount, error) {
		ctx, done := b.counts.begin(ctx)
		defer done()
		return db.CountHits(ctx, query)
	})
}

// FindOnPath looks for a text in all messages of the path that ends at leafUID. A new search in a path ends the previous one with
// the code canceled.
func (b *SearchBindings) FindOnPath(sessionID, leafUID, text string) (core.PathHits, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (core.PathHits, error) {
		ctx, done := b.pathSearches.begin(ctx)
		defer done()
		return db.FindOnPath(ctx, sessionID, leafUID, text)
	})
}

// GetIndexing returns the progress of the full-text index. Its total is 0 unless the work takes long.
func (b *SearchBindings) GetIndexing() (at core.Progress, err error) {
	err = guard.Run(func() error {
		at = b.indexing.Progress()
		return nil
	})
	return at, err
}
