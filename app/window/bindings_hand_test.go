package window

import (
	"strings"
	"testing"

	"coppice/backend/core"
)

// A passphrase is used once.
func TestPassphrases(t *testing.T) {
	var held passphrases
	name := held.hold("a long passphrase")
	if _, err := held.take("another name"); core.CodeOf(err) != core.NotFound {
		t.Errorf("another name: %v", err)
	}
	if value, err := held.take(name); value != "a long passphrase" || err != nil {
		t.Errorf("%q, %v", value, err)
	}
	if _, err := held.take(name); core.CodeOf(err) != core.NotFound {
		t.Errorf("again: %v", err)
	}
	if _, err := held.take(""); core.CodeOf(err) == "" && err == nil {
		t.Error("no name takes no passphrase")
	}
}

func TestCopiedMarkdownIsBounded(t *testing.T) {
	var out limitedText
	part := []byte(strings.Repeat("x", 1<<20))
	for range 4 {
		if _, err := out.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := out.Write(part); core.CodeOf(err) != core.Invalid || core.HintOf(err) == "" {
		t.Errorf("more than %d bytes: %v", maxCopied, err)
	}
}
