package core

// BackupKind is the reason why a backup was made.
type BackupKind string

// The kinds of backups.
const (
	BackupDaily     BackupKind = "daily"     // automatically, once a day
	BackupMigration BackupKind = "migration" // before a migration of the library to a new version
	BackupManual    BackupKind = "manual"    // by the user
)

// Backup is a copy of the library in its backup folder.
type Backup struct {
	Path        string     `json:"path"`
	Kind        BackupKind `json:"kind"`
	CreatedAtMs int64      `json:"createdAtMs"`
	SizeBytes   int64      `json:"sizeBytes"`
	Verified    bool       `json:"verified"` // it was read completely and compared with the library when it was made
}
