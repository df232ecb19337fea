package transcript

import (
	"bytes"
	"context"
	"slices"

	"coppice/backend/importer/jsondoc"
)

// Head is what the first bytes of a file contain.
type Head struct {
	*jsondoc.Outline
	Cut bool // the file is longer
}

// Sniff reads the beginning of an object, and reports whether the bytes begin one.
func Sniff(head []byte, lists ...string) (Head, bool) {
	s := jsondoc.NewScanner(bytes.NewReader(head))
	if c, err := s.Peek(); err != nil || c != '{' {
		return Head{}, false
	}
	out, err := jsondoc.NewOutliner(lists...).Outline(context.Background(), s)
	if err != nil {
		return Head{}, false
	}
	return Head{Outline: out, Cut: out.Damage != nil}, true
}

// Has reports whether the object has all of these members.
func (h Head) Has(keys ...string) bool {
	for _, k := range keys {
		if !slices.Contains(h.Keys, k) {
			return false
		}
	}
	return true
}
