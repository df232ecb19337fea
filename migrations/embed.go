// Package migrations carries the steps of the database's schema. A released file is never edited.
package migrations

import "embed"

// FS holds NNNNNN_name.up.sql and .down.sql files for golang-migrate. Each up file ends with
// PRAGMA user_version = N, so that an interrupted step can be distinguished from a finished one.
//
//go:embed *.sql
var FS embed.FS
