package term

import (
	"strings"
	"testing"
)

// The rows that are removed are those that the terminal shows: a line that was drawn on a wider screen takes several.
func TestLiveRegionRows(t *testing.T) {
	t.Parallel()
	for columns, rows := range map[int]int{80: 2, 40: 3, 20: 4, 10: 8} {
		var r liveRegion
		var out strings.Builder
		r.draw(&out, []string{"\x1b[2m" + strings.Repeat("a", 60) + "\x1b[0m", strings.Repeat("日", 10)}, 80, true)
		out.Reset()
		if columns == 80 {
			r.clear(&out, 80)
		} else {
			r.draw(&out, []string{"new"}, columns, true)
		}
		if up := strings.Count(out.String(), "\x1b[A"); up+1 != rows {
			t.Errorf("%d columns: %d rows are removed, want %d: %q", columns, up+1, rows, out.String())
		}
	}
}

// Only the lines that differ are written again.
func TestLiveRegionDifference(t *testing.T) {
	t.Parallel()
	var r liveRegion
	var out strings.Builder
	draw := func(want string, lines ...string) {
		t.Helper()
		out.Reset()
		r.draw(&out, lines, 80, false)
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
	draw("one\ntwo", "one", "two")
	draw("", "one", "two")
	draw("\r\x1b[Kthree", "one", "three")
	draw("\r\x1b[A\x1b[J1\n2\n3", "1", "2", "3")
	draw("\r\x1b[A\x1b[J2", "1", "2")
	draw("\r\n3", "1", "2", "3")
}
