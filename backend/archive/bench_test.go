package archive_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"coppice/backend/archive"
	"coppice/backend/core"
)

// BenchmarkRead reads the longest sample as an import does: twice.
func BenchmarkRead(b *testing.B) {
	data, err := os.ReadFile("samples/recipe-parser.json")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for in, err := range archive.Read(context.Background(), core.SourceFile{Data: bytes.NewReader(data), SizeBytes: int64(len(data))}) {
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range in.Messages {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// BenchmarkWrite writes the longest sample from memory.
func BenchmarkWrite(b *testing.B) {
	data, err := os.ReadFile("samples/recipe-parser.json")
	if err != nil {
		b.Fatal(err)
	}
	s := newMemoryLibrary()
	s.read(b, data)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		write(b, s, s.ids, false, archive.Options{})
	}
}
