package core

// Home is what a library begins with: where to continue, and what was imported and spent lately.
type Home struct {
	Recent     []Session `json:"recent"`     // changed last, the newest first; never nil, as are the others
	Unfinished []Session `json:"unfinished"` // as SessionFilter.Incomplete
	Forked     []Session `json:"forked"`     // with several branches
	Expensive  []Session `json:"expensive"`  // by billed and estimated cost together, none without either
	Week       Group     `json:"week"`       // what was done since WeekFromMs
	WeekFromMs int64     `json:"weekFromMs"`
	// LastImport is nil if nothing was imported since the library keeps it.
	LastImport *LastImport `json:"lastImport,omitempty"`
	// Imported are the first sessions of LastImport that the library still has.
	Imported []Session `json:"imported"`
}

// LastImport is the import that the user requested last, with the beginnings of its lists.
type LastImport struct {
	AtMs         int64  `json:"atMs"`
	Report       Report `json:"report"`
	SessionCount int64  `json:"sessionCount"` // of Report.Sessions before it was cut
	ProblemCount int64  `json:"problemCount"` // of Report.Problems before it was cut
}
