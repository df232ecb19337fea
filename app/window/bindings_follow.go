package window

import (
	"context"

	"coppice/app/internal/library"

	"coppice/backend/sqlite"
)

// GetFollowed returns the places whose sessions the library takes in as they are written.
func (b *Bindings) GetFollowed() (Followed, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (Followed, error) {
		paths, chosen, err := library.FollowedPaths(ctx, db)
		progress, trouble := b.following.state()
		return Followed{Paths: paths, Chosen: chosen, Trouble: trouble, Progress: progress}, err
	})
}

// SetFollowed chooses the places to follow, by absolute paths, and begins at once.
func (b *Bindings) SetFollowed(paths []string) error {
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		if err := library.SetFollowedPaths(ctx, db, paths); err != nil {
			return false, err
		}
		b.following.resume(ctx, db)
		b.changes.tell(changedSettings)
		return true, nil
	})
	return err
}
