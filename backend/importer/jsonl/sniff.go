package jsonl

import (
	"bytes"

	"github.com/tidwall/gjson"

	"coppice/backend/jsontext"
)

// AnyRecord reports whether one of the lines at the beginning of a file is known: by whole, if it is a JSON object, and by begun, if it
// begins like one and is damaged or cut off.
func AnyRecord(head []byte, whole func(gjson.Result) bool, begun func([]byte) bool) bool {
	for l := range bytes.Lines(head) {
		l = bytes.TrimSpace(bytes.TrimPrefix(l, []byte("\uFEFF")))
		switch {
		case len(l) == 0 || l[0] != '{':
		case jsontext.Check(l) == "":
			if whole(gjson.ParseBytes(l)) {
				return true
			}
		case begun(l):
			return true
		}
	}
	return false
}
