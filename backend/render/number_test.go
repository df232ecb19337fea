package render

import "testing"

func TestDuration(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "", 12: "", 99: "", 100: "0.1 s", 1300: "1.3 s", 9_940: "9.9 s", 9_960: "10 s", 42_400: "42 s", 59_600: "1 min",
		130_000: "2 min 10 s", 3_599_700: "1 h", 11_100_000: "3 h 5 min", -5: "",
	} {
		if got := duration(ms); got != want {
			t.Errorf("%d ms: %q, want %q", ms, got, want)
		}
	}
}
