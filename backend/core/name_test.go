package core

import (
	"strings"
	"testing"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"", "a", "auth-refactor", "2026-11-21-07-30-00", "v1.2_x", "-", "Console", "comet", strings.Repeat("x", 64)} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, says := range map[string]string{
		strings.Repeat("x", 65): "at most 64", "two words": "letters", "a/b": "letters", `a\b`: "letters", "ä": "letters", "a\n": "letters",
		"..": "dot", "a..b": "dot", ".hidden": "dot", "index": "reserved", "INDEX.json": "reserved", "nul": "reserved", "Com1": "reserved", "lpt9.txt": "reserved",
	} {
		err := CheckName(name)
		if CodeOf(err) != Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want it to say %q", name, err, says)
		}
	}
}
