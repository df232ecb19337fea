package transcript

import (
	"context"
	"errors"
	"io"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
)

// Open reads the outline of a file that is one object with lists at the given paths. Damage is reported; the outline
// holds what can be read.
func Open(ctx context.Context, file core.SourceFile, data io.ReaderAt, size int64, lists ...string) (*jsondoc.Outliner, *jsondoc.Outline, error) {
	outliner := jsondoc.NewOutliner(lists...)
	scanner := jsondoc.NewScanner(jsonl.Until(ctx, io.NewSectionReader(data, 0, size)))
	doc, err := outliner.Outline(ctx, scanner)
	if err != nil {
		return nil, nil, err
	}
	for _, damage := range doc.Skipped {
		file.Problem(damage.Line, damage.Message+", skipped")
	}
	if doc.Damage == nil {
		if next, err := scanner.Peek(); err == nil && next != 0 {
			doc.Damage = &jsondoc.Damage{OffsetBytes: scanner.OffsetBytes(), Line: scanner.Line(), Message: "text after the end of the JSON"}
		} else if err != nil && !errors.As(err, &doc.Damage) {
			return nil, nil, err
		}
	}
	if doc.Damage != nil {
		file.Problem(doc.Damage.Line, doc.Damage.Message+"; the part before it is read")
	}
	return outliner, doc, nil
}
