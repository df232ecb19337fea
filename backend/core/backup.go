package core

// BackupKind is why a backup was made.
type BackupKind string

// The kinds of backups.
const (
	BackupDaily     BackupKind = "daily"     // by itself, once a day
	BackupMigration BackupKind = "migration" // before the library was brought to a new version
	BackupManual    BackupKind = "manual"    // by the user
)

// Backup is a copy of the library in its folder of backups.
type Backup struct {
	Path        string     `json:"path"`
	Kind        BackupKind `json:"kind"`
	CreatedAtMs int64      `json:"createdAtMs"`
	SizeBytes   int64      `json:"sizeBytes"`
	Verified    bool       `json:"verified"` // it was read whole and compared with the library when it was made
}
