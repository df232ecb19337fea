package pages

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPages compares pages with a slice.
func TestPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pages List[int]
		var plain []int
		for range rapid.IntRange(0, 3*Size+1).Draw(t, "length") {
			if n := pages.Add(len(plain)); int(n) != len(plain) {
				t.Fatalf("value %d has number %d", len(plain), n)
			}
			plain = append(plain, len(plain))
		}
		if n := rapid.IntRange(0, len(plain)).Draw(t, "written"); n < len(plain) {
			*pages.At(int32(n)) += 7
			plain[n] += 7
		}
		for i, want := range plain {
			if got := *pages.At(int32(i)); got != want {
				t.Fatalf("value %d is %d, want %d", i, got, want)
			}
		}
		held := (len(plain) + Size - 1) / Size
		if int(pages.Len()) != len(plain) || pages.Held() != held {
			t.Fatalf("%d values on %d pages, want %d on %d", pages.Len(), pages.Held(), len(plain), held)
		}
		if held > 1 {
			pages.Drop(0)
			if pages.Held() != held-1 || *pages.At(Size) != plain[Size] {
				t.Fatal("the first page does not go alone")
			}
		}
	})
}
