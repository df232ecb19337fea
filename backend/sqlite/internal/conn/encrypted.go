package conn

import (
	"errors"
	"net/url"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
)

// Unlock prepares that a file is opened: one that is encrypted is unlocked with the keys that this process knows. Call it before the file
// has a connection, because reading the header drops locks on systems without open-file-description locks. Auth if no key fits.
func Unlock(path string) error {
	useLocks() // a conversion opens the file without this package
	if err := cryptvfs.Register(); err != nil {
		return err
	}
	encrypted, err := cryptvfs.IsEncrypted(path)
	if err != nil {
		return err
	}
	if !encrypted {
		cryptvfs.Forget(path) // a plain file may have replaced it
		return nil
	}
	err = cryptvfs.UnlockKnown(path)
	if errors.Is(err, cryptvfs.ErrKey) {
		err = unlockInTest(path)
	}
	if errors.Is(err, cryptvfs.ErrKey) {
		return core.E(core.Auth, "%s is encrypted and locked", path).WithRemedy(core.UnlockLibrary)
	} else if err != nil {
		return err
	}
	return nil
}

// MakeLike makes an empty file for a copy of another file: encrypted with the same key if that one is.
func MakeLike(path, original string) error {
	if cryptvfs.IsUnlocked(original) {
		return cryptvfs.CreateLike(path, original)
	}
	return MakeFile(path)
}

// withVFS adds the VFS that opens a file to the parameters of the driver.
func withVFS(path string, params url.Values) url.Values {
	if !cryptvfs.IsUnlocked(path) {
		return params
	}
	all := url.Values{"vfs": {cryptvfs.Name}}
	for name, values := range params {
		all[name] = values
	}
	return all
}
