package transcript

import (
	"bytes"
	"context"
	"slices"

	"coppice/backend/importer/jsondoc"
)

// Head is what the first bytes of a file say of it.
type Head struct {
	*jsondoc.Outline
	Cut bool // there is more in the file
}

// Sniff reads the beginning of an object. It is false where the bytes begin no object.
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

// Has says whether the object has all of these members.
func (h Head) Has(keys ...string) bool {
	for _, k := range keys {
		if !slices.Contains(h.Keys, k) {
			return false
		}
	}
	return true
}
