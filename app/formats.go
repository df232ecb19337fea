package app

import (
	"coppice/backend/archive"
	"coppice/backend/importer"
	"coppice/backend/importer/claudecode"
)

// formats are what import reads, in the order in which they are asked whether a file is theirs.
func formats() []importer.Format {
	return []importer.Format{archive.Format{}, &claudecode.Format{}}
}
