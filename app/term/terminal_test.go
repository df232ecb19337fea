package term

import "testing"

func TestIsPlain(t *testing.T) {
	for _, tc := range []struct {
		name, term string
		sequences  bool
		want       bool
	}{
		{"a terminal", "xterm-256color", true, false},
		{"a console of Windows 10", "", true, false},
		{"an older console of Windows", "", false, true},
		{"a terminal that only shows lines", "dumb", true, true},
	} {
		getenv := func(name string) string {
			if name == "TERM" {
				return tc.term
			}
			return ""
		}
		if got := isPlain(getenv, tc.sequences); got != tc.want {
			t.Errorf("%s: %t", tc.name, got)
		}
		if want := !tc.want; wantsColor(getenv, tc.sequences) != want {
			t.Errorf("%s: colors are wanted: %t", tc.name, !want)
		}
	}
	if noColor := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }; wantsColor(noColor, true) || isPlain(noColor, true) {
		t.Error("NO_COLOR is about colors only")
	}
}
