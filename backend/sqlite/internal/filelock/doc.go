// Package filelock makes SQLite lock its files with open-file-description locks.
//
// A POSIX record lock belongs to the process: closing any descriptor of a file drops every lock that the process
// holds on it. An open-file-description lock belongs to the descriptor that took it and outlives such a close. The
// reasons are in docs/decisions/0001-open-file-description-locks.md.
package filelock
