// Package formats lists the formats that import reads, and the folders in which their tools store sessions.
package formats

import (
	"os"
	"slices"
	"time"

	"coppice/backend/archive"
	"coppice/backend/core"
	"coppice/backend/importer"
	"coppice/backend/importer/agentbase"
	"coppice/backend/importer/agentharness"
	"coppice/backend/importer/agentzero"
	"coppice/backend/importer/architect"
	"coppice/backend/importer/chatgpt"
	"coppice/backend/importer/claudeai"
	"coppice/backend/importer/claudecode"
	"coppice/backend/importer/codex"
	"coppice/backend/importer/fuseraft"
	"coppice/backend/importer/geminicli"
	"coppice/backend/importer/openassistant"
	"coppice/backend/importer/opencode"
	"coppice/backend/importer/pi"
)

// All returns the formats that import reads, in the order in which they are asked whether they recognize a file. Codex
// comes last, because the lines of its first versions contain little that identifies them.
func All() []importer.Format {
	return []importer.Format{
		{
			Name: core.SourceCoppice, Version: archive.ReaderVersion, Extensions: archive.Extensions(), Sniff: archive.Sniff, Read: archive.Read,
		},
		claudecode.Format(),
		geminicli.Format(),
		opencode.Format(),
		pi.Format(),
		architect.Format(),
		agentbase.Format(time.Local),
		agentharness.Format(),
		fuseraft.Format(),
		agentzero.Format(os.Getenv),
		chatgpt.Format(),
		claudeai.Format(),
		openassistant.Format(),
		codex.Format(),
	}
}

// Extensions returns the extensions of the files that import reads, such as ".json", in order.
func Extensions() []string {
	var all []string
	for _, f := range All() {
		all = append(all, f.Extensions...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Of returns the formats that read the files of a tool.
func Of(source core.Source) []importer.Format {
	for _, f := range All() {
		if f.Name == source {
			return []importer.Format{f}
		}
	}
	return nil
}
