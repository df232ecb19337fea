package keyslot

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"coppice/backend/core"
)

// A recovery code is 160 random bits and a checksum of 20 bits, as letters and digits that are not mistaken for each other, in groups of four.
const (
	codeBytes   = 20
	checkChars  = 4
	groupChars  = 4
	codeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
)

func codeEncoding() *base32.Encoding {
	return base32.NewEncoding(codeLetters).WithPadding(base32.NoPadding)
}

// NewRecoveryCode returns a random recovery code.
func NewRecoveryCode() string {
	data := make([]byte, codeBytes)
	_, _ = rand.Read(data)
	text := codeEncoding().EncodeToString(data)
	text += checkOf(data)
	var groups []string
	for len(text) > 0 {
		groups = append(groups, text[:groupChars])
		text = text[groupChars:]
	}
	return strings.Join(groups, "-")
}

func checkOf(data []byte) string {
	sum := sha256.Sum256(data)
	return codeEncoding().EncodeToString(sum[:])[:checkChars]
}

// parseCode returns the random bits of a recovery code, as a user types it.
func parseCode(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "", " ", "", "\t", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(strings.TrimSpace(text)))
	wrong := core.E(core.Auth, "not a recovery code: look for a mistyped character")
	data, err := codeEncoding().DecodeString(text[:max(len(text)-checkChars, 0)])
	if err != nil || len(data) != codeBytes || checkOf(data) != text[len(text)-checkChars:] {
		return nil, wrong
	}
	return data, nil
}
