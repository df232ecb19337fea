package core

// Report is the result of an import. Imported, Updated, Unchanged and Skipped count sources: files, or sessions of an
// archive.
type Report struct {
	Imported  int64     `json:"imported"`
	Updated   int64     `json:"updated"`
	Unchanged int64     `json:"unchanged"`
	Skipped   int64     `json:"skipped"`           // not recognised, empty, or removed for good
	Removed   int64     `json:"removed,omitempty"` // of the skipped ones, sessions that the user has removed for good
	Gone      int64     `json:"gone,omitempty"`    // files that were deleted elsewhere after they were imported: their sessions stay
	Back      int64     `json:"back,omitempty"`    // files that were deleted, and exist again
	Sessions  []string  `json:"sessions"`          // the ids of new and changed sessions, never nil
	Problems  []Problem `json:"problems"`          // never nil
	// SkippedFiles names what Skipped counts, up to MaxSkippedFiles.
	SkippedFiles []SkippedFile `json:"skippedFiles,omitempty"`
	// UnknownRecords counts the stored records of types that this version does not know, ordered by source and type.
	UnknownRecords []UnknownRecords `json:"unknownRecords,omitempty"`
}

// MaxSkippedFiles is how many skipped files a Report names: a folder may hold millions of other files.
const MaxSkippedFiles = 1000

// SkippedFile is a file of which a session, or the whole, was skipped.
type SkippedFile struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// UnknownRecords counts the records of one type.
type UnknownRecords struct {
	Source Source `json:"source"`
	Type   string `json:"type"` // as the source names it; empty if it names none
	Count  int64  `json:"count"`
}

// Problem is something in a source that could not be read. The rest was read.
type Problem struct {
	Path    string `json:"path"`
	Line    int64  `json:"line"` // from 1; 0: the whole file
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`   // what to do about it; empty if there is nothing to do
	Locked  bool   `json:"locked,omitempty"` // the file is encrypted: a passphrase may open it
}

// Progress is how far a long operation has come.
type Progress struct {
	Done       int64  `json:"done"`  // files, or sessions
	Total      int64  `json:"total"` // 0: unknown yet
	DoneBytes  int64  `json:"doneBytes"`
	TotalBytes int64  `json:"totalBytes"`
	Current    string `json:"current"` // what is being processed
}
