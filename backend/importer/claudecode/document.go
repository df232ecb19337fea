package claudecode

import (
	"bytes"
	"context"
	"io"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// recordsKey is the member of a document that holds the records.
const recordsKey = "loglines"

// sniffDocument looks for one record of Claude Code among those of a session that ran on the web: one
// object with all its records in a list.
func sniffDocument(head []byte) bool {
	doc, ok := transcript.Sniff(head, recordsKey)
	if !ok {
		return false
	}
	records := doc.Lists[recordsKey]
	for _, e := range records {
		if isOurs(gjson.ParseBytes(head[e.Offset : e.Offset+e.Length])) {
			return true
		}
	}
	return len(records) == 0 && looksOurs(head) // the first one is long
}

// isDocument reports whether a file is one object rather than one object per line.
func isDocument(file core.SourceFile) bool {
	head := make([]byte, min(sniffedBytes, file.SizeBytes))
	n, _ := file.Data.ReadAt(head, 0) // what cannot be read is reported when it is read as lines
	doc, ok := transcript.Sniff(head[:n], recordsKey)
	return ok && doc.Lists[recordsKey] != nil
}

// sniffedBytes is how much of a file is read to recognise a document: as much as Sniff receives.
const sniffedBytes = 64 << 10

// scanDocument passes on the records of a document until take returns false, as if each were on a line of its own: the one it begins
// on.
func scanDocument(ctx context.Context, file core.SourceFile, take func(jsonl.Line) bool) error {
	_, doc, err := transcript.Open(ctx, file, file.Data, file.SizeBytes, recordsKey)
	if err != nil {
		return err
	}
	l := jsonl.Line{Number: 1}
	for _, e := range doc.Lists[recordsKey] {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// The text before the record determines its line; a record that is too long is not read.
		record := make([]byte, min(e.Length, jsonl.MaxLine))
		if _, err := file.Data.ReadAt(record, e.Offset); err != nil {
			return core.Wrap(core.Unavailable, err, "read a record")
		}
		l.Number += jsondoc.Line(io.NewSectionReader(file.Data, l.End, e.Offset-l.End), e.Offset-l.End) - 1
		l.Offset, l.End, l.TooLong, l.Text = e.Offset, e.Offset+e.Length, e.Length > jsonl.MaxLine, record
		if l.TooLong {
			l.Text = nil
		}
		if !take(l) {
			break
		}
		l.Number += newlines(record)
	}
	return nil
}

func newlines(text []byte) int64 { return int64(bytes.Count(text, []byte{'\n'})) }
