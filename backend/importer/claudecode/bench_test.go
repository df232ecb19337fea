package claudecode

import (
	"bytes"
	"os"
	"testing"

	"coppice/backend/core"
)

// BenchmarkRead reads the real sessions without writing them anywhere.
func BenchmarkRead(b *testing.B) {
	var contents [][]byte
	size := int64(0)
	for _, path := range samples(b, "real/*.jsonl") {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		contents = append(contents, data)
		size += int64(len(data))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range contents {
			for in, err := range Format().Read(b.Context(), core.SourceFile{
				Path: "/p/s.jsonl", SizeBytes: int64(len(data)), Data: bytes.NewReader(data), Problem: func(int64, string) {}, Progress: func(int64) {},
			}) {
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
}

// BenchmarkScan is the first pass alone.
func BenchmarkScan(b *testing.B) {
	data, err := os.ReadFile(samples(b, "real/53ea19c1*.jsonl")[0])
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scan(b.Context(), core.SourceFile{
			Path: "/p/s.jsonl", SizeBytes: int64(len(data)), Data: bytes.NewReader(data), Problem: func(int64, string) {},
		}, false); err != nil {
			b.Fatal(err)
		}
	}
}
