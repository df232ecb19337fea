// Package title derives the title of a session from its prompts.
package title

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/lazyregexp"
	"coppice/backend/markdown"
)

const (
	readBytes    = 16 << 10 // of a prompt; what comes after it is not read
	longestRunes = 80       // of a title
	leastRunes   = 12       // a shorter first sentence is joined with the next one
)

// Derived is a title made of prompts.
type Derived struct {
	Text string
	Weak bool // it names nothing, such as "yes" or a command without arguments: a later prompt may be a better one
}

// Derive returns the title that the first prompt with a sentence of its own makes, else the first weak one; empty if no prompt has words.
func Derive(prompts ...string) Derived {
	best := Derived{Weak: true}
	for _, prompt := range prompts {
		d := Of(prompt)
		if d.Text != "" && !d.Weak {
			return d
		}
		if best.Text == "" {
			best = d
		}
	}
	return best
}

// Of returns the title that one prompt makes: its first sentence without the markup and the boilerplate of tools, the heading of a plan,
// or the name of a command that has no arguments.
func Of(prompt string) Derived {
	text, command := withoutMarkup(strings.ToValidUTF8(prompt[:min(len(prompt), readBytes)], ""))
	text, isPlan := withoutBoilerplate(text)
	title := ""
	lines := readLines(text)
	for i, line := range lines {
		if line.heading && !isPlan && !line.first {
			continue // of a section
		}
		if title = titleOfLine(line); title != "" {
			if i+1 < len(lines) && pointsAhead.MatchString(line.text) {
				subject, _ := firstSentence(lines[i+1].text)
				title = ahead(title, subject)
			}
			break
		}
	}
	if title == "" {
		title = firstHeading(text)
	}
	if IsWeak(title) && command != "" {
		return Derived{Text: strings.TrimSpace(command + " " + title), Weak: title == ""}
	}
	return Derived{Text: title, Weak: IsWeak(title)}
}

// pointsAhead is a line that names its subject in the next one: "can you explain how this happens:".
var pointsAhead = lazyregexp.New(`(?i)\b(?:this|these|that|those|following|below)\b[^:.?!]*:$`)

// longestLead is how many characters of a title its subject may follow: a list shows about thirty.
const longestLead = 24

// ahead returns the title of a line that points to its subject: the subject alone if the words before it are many.
func ahead(lead, subject string) string {
	if utf8.RuneCountInString(lead) > longestLead && !IsWeak(subject) {
		return shorten(subject)
	}
	return shorten(lead + ": " + subject)
}

// titleOfLine returns the title that a line makes; empty if it has none.
func titleOfLine(l line) string {
	if l.heading {
		text := withoutKind(l.text)
		if isGeneric(text) {
			return ""
		}
		return shorten(text)
	}
	sentence, next := firstSentence(l.text)
	if rest := withoutCourtesy(sentence); rest != sentence {
		return shorten(capital(rest))
	}
	if isRemark(sentence) && next != "" {
		second, _ := firstSentence(next)
		if request := withoutCourtesy(second); request != second && courtesy.MatchString(filler.ReplaceAllString(second, "")) && !IsWeak(request) {
			return shorten(capital(request))
		}
	}
	return shorten(sentence)
}

func firstHeading(text string) string {
	for _, l := range readLines(text) {
		if t := shorten(withoutKind(l.text)); t != "" {
			return t
		}
	}
	return ""
}

// line is a line of a prompt as plain text.
type line struct {
	text    string
	heading bool
	first   bool // of the lines that have text
}

var (
	headingMark = lazyregexp.New(`^#{1,6}\s+`)
	listMark    = lazyregexp.New(`^(?:[-*+•]\s+|\d{1,2}[.)]\s+)`)
	rule        = lazyregexp.New(`^[-=_*~\s|+]+$`)
)

// readLines returns the lines of a prompt that may have a title: those of code, of quotes and of tables are left out. Lines of a paragraph
// are joined if the sentence continues.
func readLines(text string) []line {
	var lines []line
	fenced, open := false, false // open: the line before may continue
	for raw := range strings.Lines(text) {
		s := strings.TrimSpace(raw)
		continues := open
		open = false
		if strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") {
			fenced = !fenced
			continue
		}
		if fenced || s == "" || rule.MatchString(s) || strings.HasPrefix(s, ">") || strings.HasPrefix(s, "|") {
			continue
		}
		mark := headingMark.FindString(s)
		s = listMark.ReplaceAllString(s[len(mark):], "")
		s = strings.Join(strings.Fields(strings.ReplaceAll(shortenLinks(markdown.Plain(s)), "`", "")), " ")
		s = strings.Map(printable, s)
		if s == "" {
			continue
		}
		open = mark == "" && !strings.ContainsRune(".?!:;。？！", lastRune(s))
		if last := len(lines) - 1; continues && mark == "" && strings.HasPrefix(strings.TrimSpace(raw), s[:1]) && isLowerFirst(s) {
			lines[last].text += " " + s
			continue
		}
		lines = append(lines, line{text: s, heading: mark != "", first: len(lines) == 0})
	}
	return lines
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

func isLowerFirst(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

func printable(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// firstSentence returns the first sentence of a line, a short one with those that follow it, and the rest of the line.
func firstSentence(text string) (sentence, next string) {
	text = withoutGreeting(text)
	for i, r := range text {
		if !strings.ContainsRune(".?!。？！", r) {
			continue
		}
		rest := text[i+utf8.RuneLen(r):]
		wide := r >= 0x3000
		if rest != "" && !wide && rest[0] != ' ' || !wide && endsInAbbreviation(text[:i]) {
			continue
		}
		if !wide && utf8.RuneCountInString(text[:i]) < leastRunes && rest != "" || isPersona(text[:i]) && rest != "" {
			if isPersona(text[:i]) {
				return firstSentence(strings.TrimSpace(rest))
			}
			continue
		}
		if r == '.' || r == '。' {
			return strings.TrimRight(text[:i], "."), strings.TrimSpace(rest)
		}
		return text[:i+utf8.RuneLen(r)], strings.TrimSpace(rest)
	}
	return text, ""
}

// isRemark reports whether a sentence describes something instead of asking for it: "This is a subtle function now."
func isRemark(sentence string) bool {
	return remark.MatchString(sentence) && !strings.HasSuffix(sentence, "?")
}

func endsInAbbreviation(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " (")+1:])
	switch word {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "dr", "mr", "mrs", "no", "nr", "approx", "resp", "z.b", "d.h":
		return true
	}
	return utf8.RuneCountInString(word) == 1 && word >= "a" && word <= "z"
}

// isPersona reports whether a sentence only assigns a role to the model.
func isPersona(sentence string) bool {
	s := strings.ToLower(sentence)
	return strings.HasPrefix(s, "you are ") || strings.HasPrefix(s, "you're ") || strings.HasPrefix(s, "act as ")
}

// capital returns a text with an upper-case first letter; a word that is code, such as a path or a name with a mark in it, stays as it is.
func capital(text string) string {
	text = strings.TrimSpace(text)
	first, size := utf8.DecodeRuneInString(text)
	word, _, _ := strings.Cut(text, " ")
	if size == 0 || strings.ContainsAny(word, "./_@:#$`()[]{}\\=<>") && !strings.HasSuffix(word, ":") || strings.ContainsFunc(word[size:], unicode.IsUpper) {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// shorten cuts a title that is too long, after a word.
func shorten(title string) string {
	title = strings.Trim(title, " \t:,;–—-")
	if utf8.RuneCountInString(title) <= longestRunes {
		return title
	}
	limit := byteOfRune(title, longestRunes)
	if at := strings.LastIndexByte(title[:limit], ' '); at > byteOfRune(title, longestRunes/2) {
		return strings.TrimRight(title[:at], " ,;:–—-(") + "…"
	}
	return title[:byteOfRune(title, longestRunes-1)] + "…"
}

// byteOfRune returns the index of the nth rune, or the length.
func byteOfRune(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
