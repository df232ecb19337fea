package core

// Cleanup selects the old sessions that go to the trash.
type Cleanup struct {
	BeforeMs int64    // sessions whose last message is older
	Sources  []Source // only sessions of these; none: of all
	DryRun   bool     // moves nothing
}

// Stats describe the library and its file.
type Stats struct {
	Path          string `json:"path"`
	SizeBytes     int64  `json:"sizeBytes"` // of the database; the file and its write-ahead log, which is emptied periodically, may take more
	SchemaVersion int64  `json:"schemaVersion"`
	Sessions      int64  `json:"sessions"` // including the trash, the archive and children
	Messages      int64  `json:"messages"`
	Branches      int64  `json:"branches"`
	Blobs         int64  `json:"blobs"`
	BlobBytes     int64  `json:"blobBytes"` // as stored
	TrashSessions int64  `json:"trashSessions"`
}
