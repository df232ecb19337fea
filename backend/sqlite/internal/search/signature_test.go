package search

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSymbolsHaveDifferentDigits(t *testing.T) {
	seen := map[uint16]byte{}
	for c := range 256 {
		digit := symbolOf(byte(c))
		isSymbol := c >= ' ' && c <= '~' && !strings.ContainsRune("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", rune(c))
		if (digit != 0) != isSymbol {
			t.Errorf("symbolOf(%q) = %d", byte(c), digit)
		}
		if digit >= symbolBase {
			t.Errorf("symbolOf(%q) = %d, want less than %d", byte(c), digit, symbolBase)
		}
		if other, taken := seen[digit]; digit != 0 && taken {
			t.Errorf("%q and %q have the digit %d", byte(c), other, digit)
		}
		seen[digit] = byte(c)
	}
}

// TestSignatureNeverHidesText takes a part of a text and expects that the signature of the text does not rule it out.
func TestSignatureNeverHidesText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("ab1 =>{}~-.\"\\\n\tä…"))), 1, 5).Draw(t, "texts")
		s := newSymbols()
		for _, text := range texts {
			s.add(text)
		}
		signature := s.signature()
		text := rapid.SampledFrom(texts).Draw(t, "text")
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, len(text)).Draw(t, "to")
		if part := text[from:to]; !mayContain(signature, symbolRunsOf(part)) {
			t.Fatalf("the signature of %q rules out %q", texts, part)
		}
	})
}

func TestSignatureRulesOut(t *testing.T) {
	for _, test := range []struct {
		text, wanted string
		may          bool
	}{
		{"a => {", "=> {", true},
		{"a =>\n{", "=> {", false},
		{"a = > {", "=> {", false},
		{"no symbols but spaces", "=> {", false},
		{"", "~", false},
		{"", "word", true},
		{"x => {", "X => {", true},
	} {
		s := newSymbols()
		s.add(test.text)
		if may := mayContain(s.signature(), symbolRunsOf(test.wanted)); may != test.may {
			t.Errorf("%q may contain %q: %v, want %v", test.text, test.wanted, may, test.may)
		}
	}
	if !mayContain(nil, symbolRunsOf("=> {")) {
		t.Error("a message without a signature may contain anything")
	}
	s := newSymbols()
	s.add("~")
	if s.signature(); len(s.take()) > 0 {
		t.Error("a signature leaves nothing for the next one")
	}
}
