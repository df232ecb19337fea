//go:build encrypt_tests

package conn

import (
	"errors"
	"io/fs"

	"coppice/backend/sqlite/cryptvfs"
)

// With the build tag encrypt_tests every new library is encrypted with a key that all processes know, so that the tests of the store run on
// encrypted libraries: go test -tags encrypt_tests ./backend/sqlite. No program is built with it.

func testKey() cryptvfs.Key { return cryptvfs.Key{'t', 'e', 's', 't'} }

// unlockInTest unlocks a file with the key of the tests.
func unlockInTest(path string) error { return cryptvfs.Unlock(path, testKey()) }

// makeInTest makes an encrypted file, unless the file exists.
func makeInTest(path string) (bool, error) {
	if err := cryptvfs.Register(); err != nil {
		return false, err
	}
	err := cryptvfs.Create(path, testKey(), cryptvfs.Options{PageSize: PageSize, Incremental: true})
	if errors.Is(err, fs.ErrExist) {
		return true, errors.Join(mustBeFile(path))
	}
	if err != nil {
		return false, err
	}
	return true, cryptvfs.Unlock(path, testKey())
}
