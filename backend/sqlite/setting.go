package sqlite

import (
	"context"

	"coppice/backend/sqlite/internal/tables"
)

// Setting returns a setting of the library; empty if it is not set.
func (db *maintenance) Setting(ctx context.Context, key string) (string, error) {
	return tables.ReadSetting(ctx, db.Library, key)
}

// PutSetting stores a setting of the library; an empty value removes it.
func (db *maintenance) PutSetting(ctx context.Context, key, value string) error {
	return tables.StoreSetting(ctx, db.Library, key, value)
}
