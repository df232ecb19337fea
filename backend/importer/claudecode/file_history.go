package claudecode

import (
	"strings"

	"coppice/backend/importer/jsonl"
)

// keptFiles is the number of files saved before a prompt, and the offset of the record with that number.
type keptFiles struct{ count, offset int64 }

// snapshot records how many files were saved: the record precedes its prompt, and is repeated for each file that is first
// changed after it.
func (s *skeleton) snapshot(r *record, offset int64) {
	files := int64(len(r.all.Get("snapshot.trackedFileBackups").Map()))
	prompt := jsonl.Text(r.all.Get("snapshot.messageId"))
	if prompt != "" && files > s.keptFiles[prompt].count {
		s.keptFiles[strings.Clone(prompt)] = keptFiles{files, offset}
	}
}
