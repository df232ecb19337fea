package core

// KeyKind is the kind of secret that opens a slot of an encrypted library.
type KeyKind string

// The kinds of secrets.
const (
	KeyPassphrase KeyKind = "passphrase"
	KeyKeyring    KeyKind = "keyring"  // a random secret in the keyring of the system
	KeyRecovery   KeyKind = "recovery" // a code to print
	KeyAge        KeyKind = "age"      // an age recipient
)

// KeySlot describes a slot of an encrypted library: one of the secrets that open it.
type KeySlot struct {
	ID          string  `json:"id"`
	Kind        KeyKind `json:"kind"`
	Name        string  `json:"name"` // chosen by the user; of an age slot, the recipient
	CreatedAtMs int64   `json:"createdAtMs"`
}
