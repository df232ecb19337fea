//go:build !encrypt_tests

package conn

import "coppice/backend/sqlite/cryptvfs"

// unlockInTest unlocks nothing: see encrypt_tests_on.go.
func unlockInTest(string) error { return cryptvfs.ErrKey }

// makeInTest makes nothing.
func makeInTest(string) (bool, error) { return false, nil }
