package search

import (
	"strings"
	"testing"
)

// BenchmarkSignature makes the signature of 64 KB of source code.
func BenchmarkSignature(b *testing.B) {
	const code = "func (s *symbols) add(text string) {\n\tfor i := range len(text) {\n\t\tif c := text[i]; c != ' ' { // why\n\t\t\treturn\n\t\t}\n\t}\n}\n"
	text := strings.Repeat(code, 64<<10/len(code))
	s := newSymbols()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.add(text)
		s.signature()
	}
}
