package diff

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// Span is a piece of a text. Changed reports whether the other text lacks it.
type Span struct {
	Text    string `json:"text"`
	Changed bool   `json:"changed"`
}

// Words compares two texts word by word. The spans of each side make up its text. Texts longer than maxCompute together
// count as changed.
func Words(left, right string) (leftSpans, rightSpans []Span) {
	if len(left)+len(right) > maxCompute {
		return whole(left), whole(right)
	}
	leftWords, rightWords := split(left), split(right)
	// The algorithm compares lines: each word becomes a line with its number.
	numbers := map[string]int{}
	leftLines, rightLines := asLines(leftWords, numbers), asLines(rightWords, numbers)
	steps := []step{}
	leftAt, rightAt := 0, 0
	offset := 0 // in leftLines, of leftAt
	next := func() { offset += strings.IndexByte(leftLines[offset:], '\n') + 1; leftAt++ }
	keep := func(until int) {
		same := leftAt
		for offset < until {
			next()
			rightAt++
		}
		if leftAt > same {
			steps = append(steps, step{same: strings.Join(leftWords[same:leftAt], "")})
		}
	}
	for _, edit := range udiff.Lines(leftLines, rightLines) {
		keep(edit.Start)
		from, added := leftAt, strings.Count(edit.New, "\n")
		for offset < edit.End {
			next()
		}
		steps = append(steps, step{left: strings.Join(leftWords[from:leftAt], ""), right: strings.Join(rightWords[rightAt:rightAt+added], "")})
		rightAt += added
	}
	keep(len(leftLines))
	return spansOf(settle(steps))
}

// step is a range of two texts: shared, or different in each.
type step struct{ same, left, right string }

// changed returns the length of the change, on the longer side.
func (s step) changed() int { return max(len(s.left), len(s.right)) }

// longestChance is in bytes.
const longestChance = 16

// settle treats what two texts share by chance as changed: a word or two that are shorter than the changes before and
// after them.
func settle(steps []step) []step {
	settled := steps[:0]
	for _, s := range steps {
		settled = append(settled, s)
		for n := len(settled); n > 2; n = len(settled) {
			before, chance, after := settled[n-3], settled[n-2].same, settled[n-1]
			if chance == "" || len(chance) > longestChance || len(chance) > before.changed() || len(chance) > after.changed() {
				break
			}
			settled = append(settled[:n-3], step{left: before.left + chance + after.left, right: before.right + chance + after.right})
		}
	}
	return settled
}

func spansOf(steps []step) (left, right []Span) {
	for _, s := range steps {
		if s.same != "" {
			left, right = append(left, Span{s.same, false}), append(right, Span{s.same, false})
		}
		if s.left != "" {
			left = append(left, Span{s.left, true})
		}
		if s.right != "" {
			right = append(right, Span{s.right, true})
		}
	}
	return left, right
}

func whole(text string) []Span {
	if text == "" {
		return nil
	}
	return []Span{{text, true}}
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

// split cuts a text into words with the spaces after them, so that spaces alone are never what two texts share. Each
// character that is not a letter or digit is a word, and so is each character of scripts without spaces between words.
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
