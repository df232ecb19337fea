package term

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTail(t *testing.T) {
	for _, tc := range []struct {
		name  string
		write []string
		want  string
	}{
		{"nothing", nil, ""},
		{"short", []string{" one\n", "two\n"}, "one\ntwo"},
		{"cut", []string{"0123456789", "abc"}, "[3 bytes are left out here]\n3456789abc"},
		{"one long piece", []string{"x", strings.Repeat("-", 30) + "0123456789"}, "[31 bytes are left out here]\n0123456789"},
		{"within a character", []string{"ä123456789a"}, "[2 bytes are left out here]\n123456789a"},
	} {
		kept := &tail{limit: 10}
		for _, piece := range tc.write {
			if n, err := kept.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatalf("%s: %d, %v", tc.name, n, err)
			}
		}
		if got := kept.String(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A tail has the end of all that was written, and never more than three times its limit in memory.
func TestTailIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kept := &tail{limit: rapid.IntRange(1, 50).Draw(t, "limit")}
		all := ""
		for _, piece := range rapid.SliceOf(rapid.StringMatching(`[a-z]{0,80}`)).Draw(t, "pieces") {
			_, _ = kept.Write([]byte(piece))
			all += piece
			if len(kept.kept) > 3*kept.limit {
				t.Fatalf("%d bytes are kept", len(kept.kept))
			}
		}
		end := all[max(len(all)-kept.limit, 0):]
		if got := kept.String(); !strings.HasSuffix(got, end) || (len(all) > kept.limit) != strings.HasPrefix(got, "[") {
			t.Fatalf("%q of %q", got, all)
		}
	})
}
