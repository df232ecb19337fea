package library

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// followKey is the key of the setting with the folders that the user chose to follow: a JSON array of absolute paths.
const followKey = "follow.places"

// FollowedPaths returns the folders to follow, never nil. chosen is false if the user has not chosen yet.
func FollowedPaths(ctx context.Context, db *sqlite.DB) (paths []string, chosen bool, err error) {
	stored, err := db.Setting(ctx, followKey)
	if err != nil || stored == "" {
		return []string{}, false, err
	}
	if err := json.Unmarshal([]byte(stored), &paths); err != nil {
		return []string{}, false, core.E(core.Internal, "read the followed folders: %v", err).
			WithHint("choose them again in the settings of the window")
	}
	return lists.NonNil(paths), true, nil
}

// SetFollowedPaths stores the folders to follow, each once.
func SetFollowedPaths(ctx context.Context, db *sqlite.DB, paths []string) error {
	var chosen []string
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			return core.E(core.Invalid, "invalid path %q: want an absolute path", path)
		}
		if path = filepath.Clean(path); !slices.Contains(chosen, path) {
			chosen = append(chosen, path)
		}
	}
	value, err := json.Marshal(lists.NonNil(chosen))
	if err != nil {
		return core.Wrap(core.Internal, err, "keep which places are followed")
	}
	return db.PutSetting(ctx, followKey, string(value))
}
