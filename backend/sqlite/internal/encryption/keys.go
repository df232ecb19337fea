// Package encryption encrypts and decrypts the file of a library, and manages the keys that open it.
package encryption

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/keyslot"
)

// IsEncrypted reports whether the library at path is encrypted. A missing file is not.
func IsEncrypted(path string) (bool, error) {
	encrypted, err := cryptvfs.IsEncrypted(path)
	return encrypted, conn.Fail(err, "read %s", path)
}

// IsLocked reports whether the library at path is encrypted and no key that this process knows opens it.
func IsLocked(path string) (bool, error) {
	err := conn.Unlock(path)
	if core.CodeOf(err) == core.Auth {
		return true, nil
	}
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return false, conn.Fail(err, "read %s", path)
}

// Unlock unlocks the library at path with one of its keys, until Lock or the end of the process. An Auth error means that the secret opens
// nothing.
func Unlock(path string, secret keyslot.Secret) error {
	if err := cryptvfs.Register(); err != nil {
		return conn.Fail(err, "unlock %s", path)
	}
	slots, err := readSlots(path)
	if err != nil {
		return conn.Fail(err, "unlock %s", path)
	}
	key, _, err := slots.Open(secret)
	if err != nil {
		return err
	}
	err = cryptvfs.Unlock(path, key)
	if errors.Is(err, cryptvfs.ErrKey) { // slots of another file
		err = core.E(core.Corrupt, "the keys of %s are not those of its pages", path).WithRemedy(core.RecoverFile)
	}
	return conn.Fail(err, "unlock %s", path)
}

// Lock forgets the key of the library at path. Close the library first.
func Lock(path string) { cryptvfs.Lock(path) }

func readSlots(path string) (*keyslot.Slots, error) {
	data, err := cryptvfs.Slots(path)
	if errors.Is(err, cryptvfs.ErrFormat) {
		return nil, core.E(core.Invalid, "%s is not encrypted", path)
	} else if err != nil {
		return nil, err
	}
	return keyslot.Parse(data)
}

// Slots returns the slots of the library at path, also of one that is locked.
func Slots(path string) (*keyslot.Slots, error) {
	slots, err := readSlots(path)
	return slots, conn.Fail(err, "read the keys of %s", path)
}

// Create makes an empty encrypted library at a path that no file has, which the secrets open, and unlocks it.
func Create(path string, slots *keyslot.Slots, secrets ...keyslot.Secret) error {
	err := create(path, keyslot.NewKey(), cryptvfs.Options{PageSize: conn.PageSize, Incremental: true}, slots, secrets)
	return conn.Fail(err, "create %s", path)
}

// create makes an empty encrypted file.
func create(path string, key keyslot.Key, layout cryptvfs.Options, slots *keyslot.Slots, secrets []keyslot.Secret) error {
	if err := cryptvfs.Register(); err != nil {
		return err
	}
	if len(secrets) == 0 {
		return core.E(core.Invalid, "no key was given: nobody could open the library")
	}
	for _, secret := range secrets {
		if _, err := slots.Add(key, secret); err != nil {
			return err
		}
	}
	data, err := slotBytes(slots)
	if err != nil {
		return err
	}
	layout.Slots = data
	if err := cryptvfs.Create(path, key, layout); err != nil {
		return err
	}
	return cryptvfs.Unlock(path, key)
}

func slotBytes(slots *keyslot.Slots) ([]byte, error) {
	data, err := slots.Bytes()
	if err == nil && len(data) > cryptvfs.MaxSlots {
		return nil, core.E(core.Invalid, "no room for another key").WithHint("remove one first")
	}
	return data, err
}

// slotPatience is the longest wait for another process that changes the keys.
const slotPatience = 5 * time.Second

// Change changes the keys of the library at path, which is unlocked, and of its backups that have the same data key.
func Change(ctx context.Context, path string, change func(slots *keyslot.Slots, key keyslot.Key) error) error {
	return conn.Fail(changeKeys(ctx, path, change), "change the keys of %s", path)
}

func changeKeys(ctx context.Context, path string, change func(slots *keyslot.Slots, key keyslot.Key) error) error {
	waiting, cancel := context.WithTimeout(ctx, slotPatience)
	defer cancel()
	lock := flock.New(path+backups.KeysSuffix, flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(waiting, conn.LockPeriod); err != nil {
		return core.E(core.Busy, "another process is changing the keys").WithHint("try again")
	}
	defer lock.Close() //nolint:errcheck // the process's end unlocks it too
	slots, err := readSlots(path)
	if err != nil {
		return err
	}
	key, err := cryptvfs.KeyOf(path)
	if err != nil {
		return core.E(core.Auth, "%s is locked", path).WithRemedy(core.UnlockLibrary)
	}
	if err := change(slots, key); err != nil {
		return err
	}
	data, err := slotBytes(slots)
	if err != nil {
		return err
	}
	if err := cryptvfs.SetSlots(path, data); err != nil {
		return err
	}
	return forBackups(path, func(backup string) error {
		if same, err := cryptvfs.SameKey(backup, path); err != nil || !same {
			return err
		}
		return cryptvfs.SetSlots(backup, data)
	})
}

// forBackups calls work with each backup of a library that is encrypted.
func forBackups(path string, work func(backup string) error) error {
	list, err := backups.Backups(path)
	errs := []error{err}
	for _, b := range slices.Backward(list) {
		encrypted, err := cryptvfs.IsEncrypted(b.Path)
		if err == nil && encrypted {
			err = work(b.Path)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
