package sqlite

import "context"

// DataVersion returns a number that is another one after somebody else has written to the file: another
// process, or another DB. Own writes do not change it. It waits while this DB writes, and costs no access to the disk. See
// https://sqlite.org/pragma.html#pragma_data_version.
func (db *DB) DataVersion(ctx context.Context) (int64, error) {
	version, err := db.dataVersion(ctx)
	return version, fail(err, "look for changes of others")
}

func (db *DB) dataVersion(ctx context.Context) (version int64, err error) {
	release, err := db.takeTurn(ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	s, err := db.writes.prepare(ctx, `PRAGMA data_version`)
	if err != nil {
		return 0, err
	}
	err = s.GetContext(ctx, &version)
	return version, err
}
