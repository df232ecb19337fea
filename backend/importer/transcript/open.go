package transcript

import (
	"context"
	"errors"
	"io"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
)

// Open reads the outline of a file that is one object with lists at the given paths. What is wrong with it is reported;
// what can be read of it is in the outline.
func Open(ctx context.Context, file core.SourceFile, data io.ReaderAt, size int64, lists ...string) (*jsondoc.Outliner, *jsondoc.Outline, error) {
	outliner := jsondoc.NewOutliner(lists...)
	scanner := jsondoc.NewScanner(io.NewSectionReader(data, 0, size))
	doc, err := outliner.Outline(ctx, scanner)
	if err != nil {
		return nil, nil, err
	}
	for _, flaw := range doc.Flaws {
		file.Problem(jsondoc.Line(data, flaw.OffsetBytes), flaw.Message+", skipped")
	}
	if doc.Damage == nil {
		if next, err := scanner.Peek(); err == nil && next != 0 {
			doc.Damage = &jsondoc.Damage{OffsetBytes: scanner.OffsetBytes(), Message: "something stands behind the end of the JSON"}
		} else if err != nil && !errors.As(err, &doc.Damage) {
			return nil, nil, err
		}
	}
	if doc.Damage != nil {
		file.Problem(jsondoc.Line(data, doc.Damage.OffsetBytes), doc.Damage.Message+"; what stands before is read")
	}
	return outliner, doc, nil
}
