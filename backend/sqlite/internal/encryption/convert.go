package encryption

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/backups"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/keyslot"
)

// Encrypt replaces the library at path by an encrypted copy, which the secrets open, and encrypts its backups. What was there is
// overwritten and removed. Busy if a process has the library open, this one included. After a crash the library is as it was, or
// encrypted; the next Open, or Encrypt again, finishes the rest.
func Encrypt(ctx context.Context, path string, slots *keyslot.Slots, secrets ...keyslot.Secret) error {
	if encrypted, err := IsEncrypted(path); err != nil {
		return err
	} else if encrypted {
		return finishEncrypting(ctx, path)
	}
	key := keyslot.NewKey()
	err := convert(ctx, path, func(part, original string) error {
		return copyEncrypted(ctx, part, original, key, slots, secrets)
	})
	return conn.Fail(err, "encrypt %s", path)
}

// finishEncrypting encrypts backups that an interrupted Encrypt has left. Conflict if all are encrypted.
func finishEncrypting(ctx context.Context, path string) error {
	list, err := backups.Backups(path)
	if err != nil {
		return err
	}
	found := false
	for _, b := range list {
		if encrypted, err := IsEncrypted(b.Path); err != nil || encrypted {
			continue
		}
		found = true
		err := convertBackup(ctx, b.Path, func(part, original string) error {
			return copyLike(ctx, part, original, path)
		})
		if err != nil {
			return conn.Fail(err, "encrypt the backups of %s", path)
		}
	}
	if !found {
		return core.E(core.Conflict, "%s is encrypted already", path)
	}
	return nil
}

// copyLike copies a plain library to a file with the key of an encrypted one.
func copyLike(ctx context.Context, part, original, model string) error {
	slots, err := readSlots(model)
	if err != nil {
		return err
	}
	if err := conn.Unlock(model); err != nil {
		return err
	}
	key, err := cryptvfs.KeyOf(model)
	if err != nil {
		return err
	}
	return copyEncrypted(ctx, part, original, key, slots, nil)
}

// Rotate replaces the library at path, which is unlocked, by a copy with a new data key that the secrets open; the former keys open nothing
// any more. Its backups are encrypted again. Conditions and crashes are as for Encrypt.
func Rotate(ctx context.Context, path string, slots *keyslot.Slots, secrets ...keyslot.Secret) error {
	key := keyslot.NewKey()
	err := convert(ctx, path, func(part, original string) error {
		return copyEncrypted(ctx, part, original, key, slots, secrets)
	})
	return conn.Fail(err, "encrypt %s again", path)
}

// Decrypt replaces the library at path, which is unlocked, by a plain copy, and so its backups. Conditions and crashes are as for Encrypt.
func Decrypt(ctx context.Context, path string) error {
	if encrypted, err := IsEncrypted(path); err != nil {
		return err
	} else if !encrypted {
		return core.E(core.Conflict, "%s is not encrypted", path)
	}
	err := convert(ctx, path, func(part, original string) error {
		if err := conn.Unlock(original); err != nil {
			return err
		}
		if err := conn.MakePlain(part); err != nil {
			return err
		}
		return cryptvfs.Copy(ctx, original, part)
	})
	return conn.Fail(err, "decrypt %s", path)
}

// copyEncrypted copies a library to a new encrypted file.
func copyEncrypted(ctx context.Context, part, original string, key keyslot.Key, slots *keyslot.Slots, secrets []keyslot.Secret) error {
	if err := conn.Unlock(original); err != nil {
		return err
	}
	layout, err := cryptvfs.LayoutOf(original)
	if errors.Is(err, cryptvfs.ErrFormat) { // a library that was never opened
		layout, err = cryptvfs.Options{PageSize: conn.PageSize, Incremental: true}, nil
	}
	if err != nil {
		return err
	}
	if len(slots.All()) > 0 { // of a second file with the same secrets
		if layout.Slots, err = slotBytes(slots); err == nil {
			err = cryptvfs.Create(part, key, layout)
		}
		if err == nil {
			err = cryptvfs.Unlock(part, key)
		}
	} else {
		err = create(part, key, layout, slots, secrets)
	}
	if err != nil {
		return err
	}
	return cryptvfs.Copy(ctx, original, part)
}

// convert replaces a library and its backups by copies. The originals are overwritten.
func convert(ctx context.Context, path string, copyTo func(part, original string) error) error {
	if err := cryptvfs.Register(); err != nil {
		return err
	}
	if err := backups.FinishReplacing(ctx, path); err != nil {
		return err
	}
	list, err := backups.Backups(path)
	if err != nil {
		return err
	}
	original := path
	aside, err := backups.ReplaceLibrary(path, backups.AsideConverted, func(part string) error {
		if err := copyTo(part, original); err != nil {
			return err
		}
		return verify(ctx, part)
	})
	if err != nil {
		return err
	}
	errs := []error{conn.Unlock(path)}
	for _, b := range list {
		errs = append(errs, convertBackup(ctx, b.Path, copyTo))
	}
	if aside != "" {
		errs = append(errs, backups.Destroy(aside))
	}
	return errors.Join(append(errs, backups.DestroyConverted(path))...)
}

// convertBackup replaces a backup by a copy. One that cannot be read, because it has another key or is damaged, is left as it is and reported.
func convertBackup(ctx context.Context, path string, copyTo func(part, original string) error) error {
	part := path + ".new"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err := copyTo(part, path)
	defer cryptvfs.Forget(part)
	cryptvfs.Forget(path)
	if err == nil {
		err = verify(ctx, part)
	}
	if err != nil {
		return core.Wrap(core.CodeOf(err), errors.Join(err, os.Remove(part)), "convert the backup %s", filepath.Base(path))
	}
	return backups.ReplaceFile(part, path)
}

// verify reads a copy whole before the original is destroyed.
func verify(ctx context.Context, path string) error { return backups.Verify(ctx, path) }
