package diff

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// Span is a piece of a text, and whether the other text lacks it.
type Span struct {
	Text    string `json:"text"`
	Changed bool   `json:"changed"`
}

// Words compares two texts word by word. The spans of either side make up its text. What is longer than maxCompute
// together counts as all changed.
func Words(left, right string) (leftSpans, rightSpans []Span) {
	if len(left)+len(right) > maxCompute {
		return whole(left), whole(right)
	}
	leftWords, rightWords := split(left), split(right)
	// The comparer knows lines: each word becomes a line with its number.
	numbers := map[string]int{}
	leftLines, rightLines := asLines(leftWords, numbers), asLines(rightWords, numbers)
	leftAt, rightAt := 0, 0
	offset := 0 // in leftLines, of leftAt
	keep := func(until int) {
		for offset < until {
			leftSpans = push(leftSpans, leftWords[leftAt], false)
			rightSpans = push(rightSpans, rightWords[rightAt], false)
			offset += strings.IndexByte(leftLines[offset:], '\n') + 1
			leftAt, rightAt = leftAt+1, rightAt+1
		}
	}
	for _, edit := range udiff.Lines(leftLines, rightLines) {
		keep(edit.Start)
		for offset < edit.End {
			leftSpans = push(leftSpans, leftWords[leftAt], true)
			offset += strings.IndexByte(leftLines[offset:], '\n') + 1
			leftAt++
		}
		for range strings.Count(edit.New, "\n") {
			rightSpans = push(rightSpans, rightWords[rightAt], true)
			rightAt++
		}
	}
	keep(len(leftLines))
	return leftSpans, rightSpans
}

func whole(text string) []Span {
	if text == "" {
		return nil
	}
	return []Span{{text, true}}
}

// push appends a word to the last span where that is of its kind.
func push(spans []Span, word string, changed bool) []Span {
	if last := len(spans) - 1; last >= 0 && spans[last].Changed == changed {
		spans[last].Text += word
		return spans
	}
	return append(spans, Span{word, changed})
}

func asLines(words []string, numbers map[string]int) string {
	var lines strings.Builder
	for _, word := range words {
		n, ok := numbers[word]
		if !ok {
			n = len(numbers)
			numbers[word] = n
		}
		lines.WriteString(strconv.Itoa(n))
		lines.WriteByte('\n')
	}
	return lines.String()
}

// split cuts a text into words with the blanks behind them, so that blanks alone are never what two texts share. What
// is no letter or digit stands alone, and so do the characters of scripts that set no blanks between words.
func split(text string) []string {
	var words []string
	for text != "" {
		end := 0
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !isWord(r) {
				if end == 0 {
					end = n
				}
				break
			}
			end += n
		}
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if r == '\n' || !unicode.IsSpace(r) {
				break
			}
			end += n
		}
		words, text = append(words, text[:end]), text[end:]
	}
	return words
}

func isWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || unicode.IsMark(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}
