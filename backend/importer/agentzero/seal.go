package agentzero

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/hex"
	"os"
	"os/user"
	"slices"
	"strings"
	"sync"

	"golang.org/x/crypto/argon2"

	"coppice/backend/core"
)

// An encrypted session is base64 of salt, nonce, and what AES-256-GCM made of the text.
const (
	saltBytes      = 16
	nonceBytes     = 12
	tagBytes       = 16
	maxSealedBytes = core.MaxValueBytes
)

// Parameters of Argon2id, the defaults of the crate that AgentZero uses.
const (
	argonPasses    = 2
	argonMemoryKiB = 19 * 1024
	argonThreads   = 1
	keyBytes       = 32
)

func argon(passphrase, salt []byte) []byte {
	return argon2.IDKey(passphrase, salt, argonPasses, argonMemoryKiB, argonThreads, keyBytes)
}

// looksSealed reports whether a file, or the beginning of one, is base64 of something long enough.
func looksSealed(head []byte) bool {
	head = bytes.TrimRight(head, " \r\n")
	if len(head) < base64.StdEncoding.EncodedLen(saltBytes+nonceBytes+tagBytes) {
		return false
	}
	padding := len(head) - len(bytes.TrimRight(head, "="))
	for _, c := range head[:len(head)-padding] {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '+' && c != '/' {
			return false
		}
	}
	return padding <= 2
}

// PassphraseVariable is the environment variable that AgentZero takes the passphrase from.
const PassphraseVariable = "AZ_PASSPHRASE"

// keyring holds the passphrases to try. Keys from the machine's names are derived once.
type keyring struct {
	mu      sync.Mutex
	machine map[string][]byte
}

// machinePassphrase returns the passphrase that AgentZero uses if none was set.
func (k *keyring) machinePassphrase(host, user string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	name := host + ":" + user
	if _, known := k.machine[name]; !known {
		if k.machine == nil {
			k.machine = map[string][]byte{}
		}
		derived := argon([]byte("agentzero:v1:"+name+":machine-key"), []byte("agentzero-mach01"))
		k.machine[name] = []byte(hex.EncodeToString(derived))
	}
	return k.machine[name]
}

// unseal decrypts a session: with AZ_PASSPHRASE, else with the machine's passphrase. It never prompts.
func (f *format) unseal(sealed []byte) ([]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(sealed)))
	if err != nil || len(raw) < saltBytes+nonceBytes+tagBytes {
		return nil, core.E(core.Invalid, "damaged: not what an encrypted session of AgentZero looks like")
	}
	passphrase := f.env(PassphraseVariable)
	if passphrase != "" {
		if text, ok := decrypt(raw, []byte(passphrase)); ok {
			return text, nil
		}
	}
	for _, host := range f.hosts() {
		for _, name := range f.users() {
			if text, ok := decrypt(raw, f.keys.machinePassphrase(host, name)); ok {
				return text, nil
			}
		}
	}
	if passphrase != "" {
		return nil, core.E(core.Auth, "encrypted: neither AZ_PASSPHRASE nor this machine's key opens it").
			WithHint("set AZ_PASSPHRASE to the passphrase the session was saved with, and import it again")
	}
	return nil, core.E(core.Auth, "encrypted: this machine's key does not open it").
		WithHint("set AZ_PASSPHRASE to the passphrase the session was saved with, and import it again")
}

func decrypt(raw, passphrase []byte) ([]byte, bool) {
	block, err := aes.NewCipher(argon(passphrase, raw[:saltBytes]))
	if err != nil {
		return nil, false
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, false
	}
	text, err := gcm.Open(nil, raw[saltBytes:saltBytes+nonceBytes], raw[saltBytes+nonceBytes:], nil)
	return text, err == nil
}

func (f *format) env(name string) string {
	if f.getenv == nil {
		return ""
	}
	return f.getenv(name)
}

// hosts are the names this machine may have had when a session was saved. Shells seldom export HOSTNAME, so
// AgentZero mostly took the name in /etc/hostname.
func (f *format) hosts() []string {
	names := []string{f.env("HOSTNAME"), f.env("HOST")}
	if text, err := os.ReadFile("/etc/hostname"); err == nil {
		names = append(names, strings.TrimSpace(string(text)))
	}
	if name, err := os.Hostname(); err == nil {
		short, _, _ := strings.Cut(name, ".")
		names = append(names, name, short)
	}
	return distinct(append(names, "unknown-host"))
}

func (f *format) users() []string {
	names := []string{f.env("USER"), f.env("USERNAME")}
	if u, err := user.Current(); err == nil {
		names = append(names, u.Username)
	}
	return distinct(append(names, "unknown-user"))
}

// distinct leaves out what is empty or there already.
func distinct(names []string) []string {
	var out []string
	for _, n := range names {
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
