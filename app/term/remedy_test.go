package term

import (
	"testing"

	"coppice/backend/core"
)

func TestEveryRemedyHasWords(t *testing.T) {
	t.Parallel()
	for _, kind := range core.RemedyKinds() {
		if Hint("", core.Remedy{Kind: kind, Args: []string{"one", "two"}}) == "" {
			t.Errorf("%s has no words", kind)
		}
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		hint   string
		remedy core.Remedy
		want   string
	}{
		{"Check the network", core.Remedy{}, "Check the network"},
		{"Set A or B", core.Remedy{Kind: core.SetKey, Args: []string{"one"}}, "Set A or B, or run: coppice config key set one"},
		{"", core.Remedy{Kind: core.SetKey, Args: []string{"one"}}, "To store a key, run: coppice config key set one"},
		{"Add credit there", core.Remedy{Kind: core.ChooseModel}, "Add credit there, or choose another model: coppice models"},
		{"", core.Remedy{Kind: core.ChooseModel}, "Choose another model: coppice models"},
		{"Start it", core.Remedy{Kind: core.SetAddress}, "Start it, or give its address with --base-url"},
		{"", core.Remedy{Kind: core.TakeOver}, "If that machine is off, continue with --take-over"},
	} {
		if got := Hint(test.hint, test.remedy); got != test.want {
			t.Errorf("%q with %v: %q, want %q", test.hint, test.remedy, got, test.want)
		}
	}
}
