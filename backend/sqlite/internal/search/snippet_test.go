package search

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"coppice/backend/query"
)

func TestSnippet(t *testing.T) {
	text := strings.Repeat("before ", 100) + "\n\n  the\tMATCH  here\n" + strings.Repeat(" after", 100)
	p, err := NewPattern("match  HERE", false)
	if err != nil {
		t.Fatal(err)
	}
	m := cut(text, p.Find(text))
	if !strings.HasPrefix(m.text, "…") || !strings.HasSuffix(m.text, "…") || !strings.Contains(m.text, "before the MATCH here after") {
		t.Fatalf("%+v", m)
	}
	if n := utf8.RuneCountInString(m.text); n > snippetLength+2 {
		t.Errorf("%d runes", n)
	}
	for _, at := range []string{"start", "end"} {
		p, err := NewPattern(at, false)
		if err != nil {
			t.Fatal(err)
		}
		if m := cut("start and end", p.Find("start and end")); m.text != "start and end" {
			t.Errorf("%+v", m)
		}
	}
}

// A snippet of words shows the place where most of them stand.
func TestSnippetOfWords(t *testing.T) {
	q, err := query.Parse(`red "blue sky" gr*`, query.Context{})
	if err != nil {
		t.Fatal(err)
	}
	text := "red alone. " + strings.Repeat("filler ", 40) + "Red and GREEN under a blue  sky, and blue alone. " + strings.Repeat("filler ", 40) + "red"
	m := cut(text, wanted(q.Root).Find(text))
	marked := []string{}
	for _, mark := range m.marks {
		marked = append(marked, string(utf16.Decode(utf16.Encode([]rune(m.text))[mark.From:mark.To])))
	}
	if want := []string{"Red", "GREEN", "blue sky"}; !slices.Equal(marked, want) {
		t.Errorf("marks %q in %q, want %q", marked, m.text, want)
	}
}

// Looking for folded ASCII is the same as looking in lower case.
func FuzzIndexFold(f *testing.F) {
	f.Add("Hello World", "o w")
	f.Add("", "a")
	f.Add("aaaaAAAB", "aab")
	f.Add("äK\u212a", "k")
	f.Fuzz(func(t *testing.T, text, word string) {
		lower := func(s string) string {
			b := []byte(s)
			for i, c := range b {
				if c >= 'A' && c <= 'Z' {
					b[i] = c - 'A' + 'a'
				}
			}
			return string(b)
		}
		if word == "" {
			return
		}
		if got, want := indexFold(text, lower(word)), strings.Index(lower(text), lower(word)); got != want {
			t.Errorf("%q in %q: %d, want %d", word, text, got, want)
		}
	})
}

// A snippet is one line whose marks are in it, in order, whatever text surrounds them.
func FuzzSnippet(f *testing.F) {
	f.Add("some text\nwith 𝒲 things", 5, 9, 12)
	f.Add(strings.Repeat("ä\n", 1000), 700, 703, 705)
	f.Fuzz(func(t *testing.T, text string, from, to, next int) {
		from, to, next = runeStart(text, from), runeStart(text, to), runeStart(text, next)
		if from >= to || to > next || next >= len(text) || !utf8.ValidString(text) {
			return
		}
		m := cut(text, []span{{from, to}, {next, len(text)}})
		if strings.ContainsAny(m.text, "\n\r\t\x00") || !utf8.ValidString(m.text) {
			t.Errorf("snippet %q", m.text)
		}
		end := int64(0)
		for _, mark := range m.marks {
			if mark.From < end || mark.To <= mark.From || mark.To > int64(len(utf16.Encode([]rune(m.text)))) {
				t.Errorf("marks %v in %q", m.marks, m.text)
			}
			end = mark.To
		}
		if !isBlank(text[from:to]) && len(m.marks) == 0 {
			t.Errorf("no mark in %q", m.text)
		}
	})
}
