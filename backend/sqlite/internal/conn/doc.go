// Package conn opens the library's file and runs transactions on it: connections, locks, the write-ahead log, and the
// errors of SQLite. One connection writes, a pool of read-only ones reads, so a reader never waits for a writer. Other
// processes may have the same file open. It knows nothing of tables.
package conn
