package app

import (
	"context"

	"coppice/backend/sqlite"
)

// shortID is the beginning of a session's id that people can type: it means that session and no other of the library. It is the whole id where
// the library cannot tell.
func shortID(ctx context.Context, db *sqlite.DB, id string) string {
	short, err := db.ShortIDs(ctx, id)
	if err != nil {
		return id
	}
	return short[0]
}
