package core

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// NewID returns a UUIDv7 (RFC 9562 5.7) for something created at createdAtMs (Unix milliseconds).
func NewID(createdAtMs int64) string {
	var random [16]byte
	rand.Read(random[:]) //nolint:errcheck // never fails, see crypto/rand
	return newUUID(createdAtMs, random).String()
}

// DerivedID returns a UUIDv7 whose random bits come from the given names, so that the same object gets the same id when
// it is imported twice or on two machines.
func DerivedID(createdAtMs int64, names ...string) string {
	return DerivedUUID(createdAtMs, names...).String()
}

// UUID is an id in binary form, a third of the size of its text, for holding very many of them.
type UUID [16]byte

// String returns the id in its text form.
func (u UUID) String() string {
	s := hex.EncodeToString(u[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// DerivedUUID is DerivedID in binary form.
func DerivedUUID(createdAtMs int64, names ...string) UUID {
	h := sha256.New()
	for _, n := range names {
		h.Write([]byte(n))
		h.Write([]byte{0})
	}
	return newUUID(createdAtMs, [16]byte(h.Sum(nil)))
}

// newUUID returns a UUID of version 7 with these random bits.
func newUUID(createdAtMs int64, b [16]byte) UUID {
	var t [8]byte
	binary.BigEndian.PutUint64(t[:], uint64(max(createdAtMs, 0))) //nolint:gosec // clamped to be positive
	copy(b[:6], t[2:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return b
}

// Hash returns the content address of data, "sha256:" and 64 hexadecimal digits.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// IsUUID reports whether an id has the form of a UUID, and so means the same wherever it is seen. Tools that count from
// one, or draw a few random characters, give the same ids in sessions that have nothing to do with each other.
func IsUUID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i, c := range []byte(id) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hex := c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
		if dash != (c == '-') || !dash && !hex {
			return false
		}
	}
	return true
}
