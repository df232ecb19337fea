package spelling

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"model", "mode", "source", "in"}
	for _, test := range []struct {
		name string
		most int
		want string
	}{
		{"model", 0, "model"},
		{"Model", 0, "model"},
		{"mdoe", 1, "mode"}, // swapped
		{"models", 2, "model"},
		{"mod", 1, "mode"},
		{"sorce", 1, "source"},
		{"surce", 0, ""},
		{"label", 2, ""},
		{"", 1, ""},
	} {
		if got := Nearest(test.name, known, func(string) int { return test.most }); got != test.want {
			t.Errorf("%q within %d: got %q, want %q", test.name, test.most, got, test.want)
		}
	}
}
