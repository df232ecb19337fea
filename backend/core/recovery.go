package core

// Recovery reports what was saved of a damaged library.
type Recovery struct {
	Path     string             `json:"path"`   // the damaged file, which stays as it is
	Output   string             `json:"output"` // the new library; empty if none was written
	Pages    int64              `json:"pages"`
	Damaged  []string           `json:"damaged"`  // what could not be read of the file, one line per page; at most 100
	Damages  int64              `json:"damages"`  // the number of all damages
	Messages int64              `json:"messages"` // saved
	Sessions []RecoveredSession `json:"sessions"`
	Contents int64              `json:"contents"`      // large contents that were saved
	Missing  int64              `json:"missing"`       // large contents that were not
	Unplaced int64              `json:"unplaced"`      // rows that could be read, but not be assigned to a table
	Problems []string           `json:"problems"`      // what a check of the new library finds; empty if it is sound
	Expected int64              `json:"expected"`      // messages that the sessions' rows count
	Whole    int64              `json:"wholeSessions"` // sessions of which everything was saved
}

// RecoveredSession reports what was saved of a session.
type RecoveredSession struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Expected  int64  `json:"expected"`  // messages that its row counts; -1: the row was lost
	Saved     int64  `json:"saved"`     // messages
	Shortened int64  `json:"shortened"` // of them, those of which only the beginning was saved
	Changed   int64  `json:"changed"`   // of them, those that can be read, but are not what was stored
	NewRoots  int64  `json:"newRoots"`  // of them, those whose parent is missing: each begins a tree of its own
}

// IsWhole reports whether everything of the session was saved.
func (s *RecoveredSession) IsWhole() bool {
	return s.Saved == s.Expected && s.Shortened+s.Changed+s.NewRoots == 0
}
