package fts

import "slices"

// Verified reports whether the rows of this package were verified with a version of SQLite, as sqlite_version() returns
// it. With any other version, hand the words to FTS5 by INSERT.
//
// To add a version, run the tests of this package and of backend/sqlite with it: they compare the index with one that
// FTS5 built, and run its integrity check.
func Verified(sqliteVersion string) bool {
	return slices.Contains([]string{"3.53.4"}, sqliteVersion)
}
