// Package cryptvfs encrypts SQLite databases page by page, below SQLite: it is a VFS for modernc.org/sqlite that wraps the default one. All
// that SQLite does works as before, over several connections and processes that have the key.
//
// # What is encrypted
//
// Each page of the database, of its write-ahead log and of its rollback journal is encrypted with XChaCha20-Poly1305. The last Reserve
// bytes of a page, which SQLite leaves to the VFS, hold the nonce and the tag. Kind of file, salt of the database, number of the page and,
// in the log, the frame around it are authenticated: a page that was changed, moved, or taken from another database is an error of
// SQLite (SQLITE_IOERR_DATA) and never read. SQLite's temporary files are in memory.
//
// Not encrypted: the number of pages and which of them are written when, file sizes and times, and the numbers of pages in the log, the
// journal and the index of the log (-shm).
//
// # Old pages
//
// A page that was replaced by its own older version is authentic. So the file has a tree, whose leaves hold the tags of the newest pages
// (see docs/decisions/0023-tree-of-pages.md). A page that does not fit it is SQLITE_IOERR_DATA, too, and so is a log that is older than the pages.
//
// # The file
//
// A header of HeaderSize bytes is before the first page: a magic number, at 16 the eight bytes that other programs look for there in a
// database (page size, versions, reserved bytes), the version of the format, the salt, and a check of the key; behind
// them are two areas for what the user of the package needs to find the key. Each change writes the other area, so that a crash leaves one. Pages
// and nodes of the tree are blocks behind the header. The range that SQLite locks (from 0x40000000 on) holds none: on Windows it could
// not be read while it is locked.
//
// # The log
//
// SQLite chains the frames of its log by checksums of the plain pages. They are replaced: a frame has the epoch of its transaction in
// their place, and authenticates the epoch of the transaction before it. When SQLite recovers the log, it gets checksums that are right for
// as long as each frame is authentic and continues the one before it. So a frame that an interrupted transaction has left behind a
// later one is not read, which is what the checksums are for.
//
// # Without SQLite
//
// Copy copies between plain and encrypted databases, Verify looks for changed pages, and Pages and Log read what is left of a damaged database.
//
// # What is not detected
//
// An old copy of a whole database is authentic. The end of a log may be missing, as far as nothing of it was copied to the pages. In a database
// without a log, an old rollback journal beside the file restores old pages.
package cryptvfs
