package jsonl

import (
	"testing"

	"github.com/tidwall/gjson"
)

// TestByteOrderMark reads a first line after a byte order mark that an editor wrote.
func TestByteOrderMark(t *testing.T) {
	line := []byte("\uFEFF{\"a\":1}\r")
	if got := Parse(line); len(got) != 1 || got[0].Get("a").Int() != 1 {
		t.Errorf("parsed %v", got)
	}
	if got := ParseAgain(line, -1); got.Get("a").Int() != 1 {
		t.Errorf("parsed again %v", got)
	}
	whole := func(r gjson.Result) bool { return r.Get("a").Exists() }
	if !AnyRecord(line, whole, func([]byte) bool { return false }) {
		t.Error("not recognised")
	}
}
