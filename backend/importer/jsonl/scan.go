package jsonl

import (
	"context"
	"io"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// cancelLines is after how many lines a scan checks its context.
const cancelLines = 256

// Scan passes on the lines of the first sizeBytes of data until take returns false. It returns the end of the last
// complete line that was taken: what follows is a line that is still being written.
func Scan(ctx context.Context, data io.ReaderAt, sizeBytes int64, take func(Line) bool) (endBytes int64, err error) {
	for l, err := range Lines(section{io.NewSectionReader(data, 0, sizeBytes), ctx}) {
		if err != nil {
			return endBytes, err
		}
		if l.Number%cancelLines == 0 && ctx.Err() != nil {
			return endBytes, ctx.Err()
		}
		if !take(l) {
			break
		}
		if !l.Torn {
			endBytes = l.End
		}
	}
	return endBytes, nil
}

// Records returns the objects of a line, see Parse. It reports a damaged line if the line is complete, and new to the file's reader.
func Records(l Line, file *core.SourceFile) []gjson.Result {
	if len(l.Text) == 0 && !l.TooLong {
		return nil
	}
	objects := Parse(l.Text)
	if len(objects) != 1 && !l.Torn && l.Offset >= file.FromBytes {
		file.Problem(l.Number, l.Damage(len(objects)))
	}
	return objects
}
