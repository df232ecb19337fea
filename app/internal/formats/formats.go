// Package formats lists the formats that import reads, and the folders in which their tools store sessions.
package formats

import (
	"context"
	"iter"
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
	"coppice/backend/importer/markdownexport"
	"coppice/backend/importer/openassistant"
	"coppice/backend/importer/opencode"
	"coppice/backend/importer/pi"
)

// All returns the formats that import reads, in the order in which they are asked whether they recognize a file. Codex
// comes last, because the lines of its first versions contain little that identifies them.
func All() []importer.Format { return With(os.Getenv) }

// With is All with another environment, in which the passphrase of AgentZero is looked up.
func With(getenv func(name string) string) []importer.Format {
	return []importer.Format{
		coppice(),
		claudecode.Format(),
		geminicli.Format(),
		opencode.Format(),
		pi.Format(),
		architect.Format(),
		agentbase.Format(time.Local),
		agentharness.Format(),
		fuseraft.Format(),
		agentzero.Format(getenv),
		chatgpt.Format(),
		claudeai.Format(),
		openassistant.Format(),
		codex.Format(),
	}
}

// coppice returns the format of Coppice's own exports: JSON, pages that carry it, and Markdown.
func coppice() importer.Format {
	return importer.Format{
		Name:       core.SourceCoppice,
		Version:    archive.ReaderVersion + markdownexport.Version,
		Extensions: append(archive.Extensions(), markdownexport.Extensions()...),
		Sniff: func(path string, head []byte) bool {
			return archive.Sniff(path, head) || markdownexport.Sniff(path, head)
		},
		Read: func(ctx context.Context, file core.SourceFile) iter.Seq2[core.Incoming, error] {
			head := make([]byte, min(file.SizeBytes, headBytes))
			if n, _ := file.Data.ReadAt(head, 0); markdownexport.Sniff(file.Path, head[:n]) {
				return markdownexport.Read(ctx, file)
			}
			return archive.Read(ctx, file)
		},
	}
}

// headBytes is more than the front matter of a Markdown export.
const headBytes = 64 << 10

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
