package schema

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
)

// state is the state of the schema of a file.
type state struct {
	Version       int64 `db:"version"` // user_version: of the last step that was finished
	ApplicationID int64 `db:"application_id"`
	Tables        int64 `db:"tables"`
}

// mustMatch refuses a file that cannot be read as it is.
func (s Schema) mustMatch(ctx context.Context, db *sqlx.DB) error {
	latest, err := s.Latest()
	if err != nil {
		return err
	}
	current, err := readState(ctx, db)
	if err != nil {
		return err
	}
	if err := current.mustBeOurs(latest); err != nil {
		return err
	}
	if !current.is(latest) {
		return core.E(core.Unavailable, "the library is of the older version %d", current.Version).
			WithHint("open it once without read-only; it is then brought to version %d", latest)
	}
	return nil
}

func (c state) is(latest int64) bool {
	return c.ApplicationID == backups.ApplicationID && c.Version == latest
}

func (c state) mustBeOurs(latest int64) error {
	if c.Tables > 0 && c.ApplicationID != backups.ApplicationID {
		return core.E(core.Invalid, "the file is a database of another program").WithRemedy(core.ChooseLibrary)
	}
	if c.Version > latest {
		return core.E(core.TooNew, "the library was written by a newer Coppice (version %d, this one knows %d)", c.Version, latest).
			WithHint("install the newest Coppice; the file was not touched")
	}
	return nil
}

// look reads the state without changing the file.
func look(ctx context.Context, path string) (state, error) {
	db, err := conn.ConnectReadOnly(ctx, path)
	if err != nil {
		return state{}, err
	}
	current, err := readState(ctx, db)
	return current, errors.Join(err, db.Close())
}

func readState(ctx context.Context, db *sqlx.DB) (state, error) {
	var c state
	const query = `SELECT (SELECT user_version FROM pragma_user_version) AS version,
		(SELECT application_id FROM pragma_application_id) AS application_id,
		(SELECT count(*) FROM sqlite_schema) AS tables`
	return c, db.GetContext(ctx, &c, query)
}
