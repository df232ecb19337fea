package query

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWords(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"Hello, World_2!", []string{"hello", "world", "2"}},
		{"ÄRGER e\u0301cole Ångström", []string{"arger", "ecole", "angstrom"}},
		{"Straße ΆΝΘΡΩΠΟΣ άνθρωπος", []string{"straße", "ανθρωποσ", "ανθρωποσ"}},
		{"\u212aelvin ſmall", []string{"kelvin", "small"}},
		{"会话abc记录", []string{"会", "话", "abc", "记", "录"}},
		{"カタカナ ภาษา", []string{"カ", "タ", "カ", "ナ", "ภ", "า", "ษ", "า"}},
		{"한국어 العربية", []string{"한국어", "العربية"}},
		{"🌱 x² \xff y", []string{"x²", "y"}},
		{strings.Repeat("a", MaxWordBytes) + " " + strings.Repeat("a", MaxWordBytes+1), []string{strings.Repeat("a", MaxWordBytes), LongWord}},
	} {
		if got := Words(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%q has the words %q, want %q", test.text, got, test.want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for _, test := range []struct{ expression, want string }{
		{`abc`, "abc"},
		{`check\w+int`, "check"},
		{`(?i)Errors: (.*) failed$`, "errors: "},
		{`a|b`, ""},
		{`(foo)?barbaz*`, "barba"},
		{`x{2,}yy`, "yy"},
		{`\d+`, ""},
		{`(`, ""},
	} {
		if got := Literal(test.expression); !strings.EqualFold(got, test.want) {
			t.Errorf("%s has the literal %q, want %q", test.expression, got, test.want)
		}
	}
}

// A text that contains a substring, ignoring case, has the words of the substring's pieces.
func FuzzPieces(f *testing.F) {
	f.Add("the getUserName(x) of", 6, 15)
	f.Add("e\u0301cole 会话 ΆΝ", 1, 9)
	f.Add(strings.Repeat("x", 120)+" y", 10, 115)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		if !utf8.ValidString(text) || from < 0 || to > len(text) || from >= to || !utf8.ValidString(text[from:to]) {
			return
		}
		needle := text[from:to]
		words := Words(text)
		for _, same := range []string{needle, strings.ToUpper(needle), strings.ToLower(needle)} {
			if !regexp.MustCompile("(?i)" + regexp.QuoteMeta(same)).MatchString(text) {
				continue
			}
			for _, p := range Pieces(same) {
				has := slices.ContainsFunc(words, func(word string) bool {
					switch {
					case p.OpenBefore && p.OpenBehind:
						return strings.Contains(word, p.Word) || word == LongWord
					case p.OpenBefore:
						return strings.HasSuffix(word, p.Word) || word == LongWord
					case p.OpenBehind:
						return strings.HasPrefix(word, p.Word) || word == LongWord
					default:
						return word == p.Word
					}
				})
				if !has {
					t.Fatalf("%q stands in %q, but no word of %q fits %+v", same, text, words, p)
				}
			}
		}
	})
}

// Each word is in its span, and folding is idempotent.
func FuzzWords(f *testing.F) {
	f.Add("Hello, Wörld e\u0301 会话 \u0345x")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for s := NewScanner(text); s.Scan(); {
			from, to := s.Span()
			if from < end || to <= from || to > len(text) {
				t.Fatalf("%q: word %q at %d to %d after %d", text, s.Word(), from, to, end)
			}
			end = to
			word := string(s.Word())
			if again := Words(word); word != LongWord && (len(again) != 1 || again[0] != word) {
				t.Fatalf("%q: the word %q folds to %q", text, word, again)
			}
			if again := Words(text[from:to]); len(again) != 1 || again[0] != word {
				t.Fatalf("%q: %q by itself has the words %q", text, text[from:to], again)
			}
		}
	})
}
