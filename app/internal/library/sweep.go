package library

import (
	"context"
	"log/slog"

	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// Sweep marks the sessions whose run died with its process as interrupted. It costs one look into an index. Where it
// cannot, the sessions are shown as running, and a resume finds out.
func Sweep(ctx context.Context, db *sqlite.DB) {
	e := engine.Engine{Store: db, Owner: engine.Self()}
	if _, err := e.Sweep(ctx); err != nil {
		slog.Warn("looking for runs that died", slog.Any("error", err))
	}
}
