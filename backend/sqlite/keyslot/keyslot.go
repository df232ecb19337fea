// Package keyslot wraps the data key of an encrypted library with the secrets of its user. Each slot holds the key, encrypted with a key that
// is derived from one secret: a passphrase, a random secret in the keyring of the system, a printed recovery code, or an age identity.
//
// The package computes and does no I/O: the slots are bytes that others store in the header of the library.
package keyslot

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/text/unicode/norm"

	"coppice/backend/core"
)

// KeySize is the size of a data key in bytes.
const KeySize = 32

// Key is a data key.
type Key = [KeySize]byte

// Parameters of Argon2id, those that RFC 9106 recommends where memory is limited: 0.2 s on a laptop.
const (
	argonPasses    = 3
	argonMemoryKiB = 64 << 10
	argonThreads   = 4

	// The slots are not secret: whoever changes them must not be able to exhaust the machine.
	maxArgonPasses    = 32
	maxArgonMemoryKiB = 1 << 20
)

const (
	version   = 1
	saltSize  = 16
	idBytes   = 4
	nameLimit = 64
)

// Secret is what opens a slot, or is to open a new one.
type Secret struct {
	Kind KeyKind
	Name string // of a new slot
	Text string // the passphrase, the code, what is in the keyring, or an age identity; of a new age slot, the recipient
}

// KeyKind is the kind of a secret.
type KeyKind = core.KeyKind

// slot is a slot as it is stored.
type slot struct {
	ID          string   `json:"id"`
	Kind        KeyKind  `json:"kind"`
	Name        string   `json:"name,omitempty"`
	CreatedAtMs int64    `json:"createdAtMs"`
	Argon       []uint32 `json:"argon,omitempty"` // passes, memory in KiB, threads
	Data        []byte   `json:"data"`            // salt, nonce and the wrapped key; of an age slot, an age file
}

// Slots are the slots of a library. The zero value is not valid: use New or Parse.
type Slots struct {
	Version int    `json:"version"`
	ID      string `json:"id"` // of the library, to find its secret in the keyring
	List    []slot `json:"slots"`
}

// New returns slots of a new library, without any.
func New() *Slots { return &Slots{Version: version, ID: randomID(2 * idBytes)} }

// Parse reads slots as they are stored.
func Parse(data []byte) (*Slots, error) {
	s := &Slots{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, core.Wrap(core.Corrupt, err, "read the keys of the library")
	}
	if s.Version != version {
		return nil, core.E(core.TooNew, "the keys of the library were written by a newer Coppice").WithHint("install the newest Coppice")
	}
	return s, nil
}

// Bytes returns the slots as they are stored.
func (s *Slots) Bytes() ([]byte, error) { return json.Marshal(s) }

// All describes the slots.
func (s *Slots) All() []core.KeySlot {
	all := make([]core.KeySlot, len(s.List))
	for i, one := range s.List {
		all[i] = core.KeySlot{ID: one.ID, Kind: one.Kind, Name: one.Name, CreatedAtMs: one.CreatedAtMs}
	}
	return all
}

// Has reports whether there is a slot of a kind.
func (s *Slots) Has(kind KeyKind) bool {
	return slices.ContainsFunc(s.List, func(one slot) bool { return one.Kind == kind })
}

// errWrong is the one error for every secret that opens no slot: what was nearly right is not revealed.
func errWrong() error {
	return core.E(core.Auth, "the passphrase or key does not open the library").WithHint("try again; nothing was changed")
}

// Open returns the data key, and the id of the slot that the secret opens. An Auth error means that it opens none. A passphrase
// may also be a recovery code or an age identity.
func (s *Slots) Open(secret Secret) (key Key, id string, err error) {
	for _, one := range s.List {
		for _, as := range secret.readings() {
			if as.Kind != one.Kind {
				continue
			}
			if key, err := one.open(s.ID, as.Text); err == nil {
				return key, one.ID, nil
			}
		}
	}
	return Key{}, "", errWrong()
}

// readings returns what a secret may be.
func (secret Secret) readings() []Secret {
	if secret.Kind != core.KeyPassphrase {
		return []Secret{secret}
	}
	all := []Secret{secret}
	if _, err := parseCode(secret.Text); err == nil {
		all = []Secret{{Kind: core.KeyRecovery, Text: secret.Text}, secret}
	}
	if strings.Contains(secret.Text, "AGE-SECRET-KEY-") {
		all = append(all, Secret{Kind: core.KeyAge, Text: secret.Text})
	}
	return all
}

// Add adds a slot that a secret opens.
func (s *Slots) Add(key Key, secret Secret) (core.KeySlot, error) {
	one, err := s.wrap(key, secret)
	if err != nil {
		return core.KeySlot{}, err
	}
	s.List = append(s.List, one)
	return s.All()[len(s.List)-1], nil
}

// Change replaces the secret of a slot.
func (s *Slots) Change(key Key, id string, secret Secret) error {
	i, err := s.find(id)
	if err != nil {
		return err
	}
	if secret.Name == "" {
		secret.Name = s.List[i].Name
	}
	one, err := s.wrap(key, secret)
	if err != nil {
		return err
	}
	one.ID = s.List[i].ID
	s.List[i] = one
	return nil
}

// Remove removes a slot. The last one cannot be removed: nothing would open the library.
func (s *Slots) Remove(id string) error {
	i, err := s.find(id)
	if err != nil {
		return err
	}
	if len(s.List) == 1 {
		return core.E(core.Conflict, "remove the key %s: it is the only one that opens the library", id).WithHint("add another key first")
	}
	s.List = slices.Delete(s.List, i, i+1)
	return nil
}

// find returns the index of the slot with an id, or of the only one of a kind.
func (s *Slots) find(id string) (int, error) {
	found := -1
	for i, one := range s.List {
		if one.ID == id {
			return i, nil
		}
		if string(one.Kind) != id {
			continue
		}
		if found >= 0 {
			return 0, core.E(core.Invalid, "the library has several keys of the kind %s", id).WithHint("name the id of one of them")
		}
		found = i
	}
	if found < 0 {
		return 0, core.E(core.NotFound, "no key %q", id).WithHint("list the keys of the library")
	}
	return found, nil
}

// wrap makes a slot.
func (s *Slots) wrap(key Key, secret Secret) (slot, error) {
	one := slot{ID: randomID(idBytes), Kind: secret.Kind, Name: core.Preview(secret.Name, nameLimit), CreatedAtMs: time.Now().UnixMilli()}
	if secret.Kind == core.KeyAge {
		err := one.wrapForAge(key, secret.Text)
		return one, err
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails, see its documentation
	if secret.Kind == core.KeyPassphrase {
		if secret.Text == "" {
			return one, core.E(core.Invalid, "the passphrase is empty")
		}
		one.Argon = []uint32{argonPasses, argonMemoryKiB, argonThreads}
	}
	wrapping, err := one.wrappingKey(secret.Text, salt)
	if err != nil {
		return one, err
	}
	aead, err := chacha20poly1305.NewX(wrapping)
	if err != nil {
		return one, err
	}
	nonce := make([]byte, aead.NonceSize())
	_, _ = rand.Read(nonce)
	one.Data = aead.Seal(append(salt, nonce...), nonce, key[:], one.additional(s.ID))
	return one, nil
}

func (one *slot) wrapForAge(key Key, recipient string) error {
	to, err := age.ParseX25519Recipient(strings.TrimSpace(recipient))
	if err != nil {
		return core.Wrap(core.Invalid, err, "read the age recipient")
	}
	one.Name = to.String()
	var data bytes.Buffer
	w, err := age.Encrypt(&data, to)
	if err != nil {
		return err
	}
	if _, err := w.Write(key[:]); err != nil {
		return err
	}
	err = w.Close()
	one.Data = data.Bytes()
	return err
}

// open returns the data key.
func (one *slot) open(library, text string) (key Key, err error) {
	if one.Kind == core.KeyAge {
		return one.openForAge(text)
	}
	if len(one.Data) != saltSize+chacha20poly1305.NonceSizeX+KeySize+chacha20poly1305.Overhead {
		return key, errors.New("the slot has another size")
	}
	wrapping, err := one.wrappingKey(text, one.Data[:saltSize])
	if err != nil {
		return key, err
	}
	aead, err := chacha20poly1305.NewX(wrapping)
	if err != nil {
		return key, err
	}
	nonce := one.Data[saltSize:][:aead.NonceSize()]
	plain, err := aead.Open(nil, nonce, one.Data[saltSize+aead.NonceSize():], one.additional(library))
	copy(key[:], plain)
	return key, err
}

func (one *slot) openForAge(text string) (key Key, err error) {
	identities, err := age.ParseIdentities(strings.NewReader(text))
	if err != nil {
		return key, err
	}
	r, err := age.Decrypt(bytes.NewReader(one.Data), identities...)
	if err != nil {
		return key, err
	}
	_, err = io.ReadFull(r, key[:])
	return key, err
}

// wrappingKey derives the key that wraps the data key.
func (one *slot) wrappingKey(text string, salt []byte) ([]byte, error) {
	switch one.Kind {
	case core.KeyPassphrase:
		a := one.Argon
		if len(a) != 3 || a[0] == 0 || a[0] > maxArgonPasses || a[1] > maxArgonMemoryKiB || a[2] == 0 || a[2] > 255 {
			return nil, errors.New("the parameters of Argon2id are out of bounds")
		}
		// The same text can be typed as different characters on two systems.
		return argon2.IDKey([]byte(norm.NFC.String(text)), salt, a[0], a[1], uint8(a[2]), chacha20poly1305.KeySize), nil //nolint:gosec // checked above
	case core.KeyRecovery:
		code, err := parseCode(text)
		if err != nil {
			return nil, err
		}
		return hkdf.Key(sha256.New, code, salt, "slot of a Coppice library", chacha20poly1305.KeySize)
	case core.KeyKeyring:
		return hkdf.Key(sha256.New, []byte(text), salt, "slot of a Coppice library", chacha20poly1305.KeySize)
	case core.KeyAge:
	}
	return nil, fmt.Errorf("unknown kind of key %q", one.Kind)
}

// additional returns what is authenticated with the wrapped key.
func (one *slot) additional(library string) []byte {
	return fmt.Appendf(nil, "slot of a Coppice library %d\n%s\n%s\n%v", version, library, one.Kind, one.Argon)
}

// NewKey returns a random data key.
func NewKey() (key Key) {
	_, _ = rand.Read(key[:])
	return key
}

// NewKeyringText returns a random secret to store in the keyring.
func NewKeyringText() string { return randomID(KeySize) }

func randomID(size int) string {
	data := make([]byte, size)
	_, _ = rand.Read(data)
	return hex.EncodeToString(data)
}
