package library

import (
	"context"
	"log/slog"

	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// Sweep marks sessions as interrupted whose run ended with its process. It needs one lookup in an index. If it fails,
// such sessions are shown as running until they are resumed.
func Sweep(ctx context.Context, db *sqlite.DB) {
	e := engine.Engine{Store: db, Owner: engine.Self()}
	if _, err := e.Sweep(ctx); err != nil {
		slog.Warn("looking for runs that died", slog.Any("error", err))
	}
}
