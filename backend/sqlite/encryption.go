package sqlite

import (
	"context"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/encryption"
	"coppice/backend/sqlite/keyslot"
)

// The functions of this file concern the encryption of a library, by the path of its file.

// Secret opens an encrypted library, or is to open one.
type Secret = keyslot.Secret

// Slots are the keys that open an encrypted library.
type Slots = keyslot.Slots

// IsEncrypted reports whether the library at path is encrypted. A missing file is not.
func IsEncrypted(path string) (bool, error) { return encryption.IsEncrypted(path) }

// IsLocked reports whether the library at path is encrypted and must be unlocked before Open.
func IsLocked(path string) (bool, error) { return encryption.IsLocked(path) }

// Unlock unlocks an encrypted library for this process. An Auth error means that the secret does not open it.
func Unlock(path string, secret Secret) error { return encryption.Unlock(path, secret) }

// Lock forgets the key of an encrypted library. Close the library first.
func Lock(path string) { encryption.Lock(path) }

// ReadSlots returns the keys that open an encrypted library, also while it is locked.
func ReadSlots(path string) (*Slots, error) { return encryption.Slots(path) }

// CreateEncrypted makes an empty encrypted library at a path that no file has, and unlocks it.
func CreateEncrypted(path string, slots *Slots, secrets ...Secret) error {
	return encryption.Create(path, slots, secrets...)
}

// Encrypt replaces a library and its backups by encrypted copies, and destroys the originals. Busy if a process has the library open, this one
// included. If it is interrupted, the library is as it was or encrypted; call Encrypt again for what is missing of the backups.
func Encrypt(ctx context.Context, path string, slots *Slots, secrets ...Secret) error {
	return encryption.Encrypt(ctx, path, slots, secrets...)
}

// Rotate encrypts an unlocked library and its backups again with a new data key that only the secrets open. Conditions are those of Encrypt.
func Rotate(ctx context.Context, path string, slots *Slots, secrets ...Secret) error {
	return encryption.Rotate(ctx, path, slots, secrets...)
}

// Decrypt replaces an unlocked library and its backups by plain copies. Conditions are those of Encrypt.
func Decrypt(ctx context.Context, path string) error { return encryption.Decrypt(ctx, path) }

// AddKey adds a key to an unlocked library.
func AddKey(ctx context.Context, path string, secret Secret) (added core.KeySlot, err error) {
	err = encryption.Change(ctx, path, func(slots *keyslot.Slots, key keyslot.Key) error {
		added, err = slots.Add(key, secret)
		return err
	})
	return added, err
}

// ChangeKey replaces the secret of a key of an unlocked library. The id may be a kind of which there is one key.
func ChangeKey(ctx context.Context, path, id string, secret Secret) error {
	return encryption.Change(ctx, path, func(slots *keyslot.Slots, key keyslot.Key) error { return slots.Change(key, id, secret) })
}

// RemoveKey removes a key of an unlocked library. Conflict if it is the only one.
func RemoveKey(ctx context.Context, path, id string) error {
	return encryption.Change(ctx, path, func(slots *keyslot.Slots, _ keyslot.Key) error { return slots.Remove(id) })
}
