package packing

import (
	"strings"
	"testing"
	"unicode/utf8"

	"coppice/backend/core"
)

func TestSpillKeepsBothEnds(t *testing.T) {
	long := "first\n" + strings.Repeat("é\n", SpillFrom) + "last\n"
	s := Spill(core.Message{Parts: []core.Part{{Type: core.PartToolResult, Result: []core.Part{{Type: core.PartText, Text: long}}}}})
	got := s.Message.Parts[0].Result[0]
	if !strings.HasPrefix(got.Text, "first\n") || len(got.Text) > HeadBytes {
		t.Errorf("the beginning has %d bytes", len(got.Text))
	}
	tail := got.Truncated.Tail
	if !strings.HasSuffix(tail, "é\nlast\n") || len(tail) > TailBytes || !utf8.ValidString(tail) {
		t.Errorf("the end: %d bytes, valid: %v", len(tail), utf8.ValidString(tail))
	}
	if len(s.Blobs) != 1 || string(s.Blobs[0].Data) != long {
		t.Error("the whole is not in a blob")
	}
}
