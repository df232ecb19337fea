// Package fts builds segments of an FTS5 index: it takes the words of documents and returns the rows that FTS5 would have
// written to its shadow tables. It executes no SQL; the caller stores the rows.
//
// The format is described under "FTS5 DATABASE FORMAT" in https://sqlite.org/src/file/ext/fts5/fts5_index.c. Comments
// give the names that FTS5 uses in brackets. Why this package exists: docs/decisions/0004-full-text-pages.md.
package fts
