// Package wordtest compares the words of a text with those of what is drawn from it, for tests.
package wordtest

import (
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"

	nethtml "golang.org/x/net/html"
)

// Count returns how often each word occurs.
func Count(words []string) map[string]int {
	times := map[string]int{}
	for _, word := range words {
		times[word]++
	}
	return times
}

// Split returns the runs of letters and digits that begin with a letter: numbers alone may be those of a list.
func Split(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), func(word string) bool {
		return len(word) < 3 || unicode.IsDigit(rune(word[0]))
	})
}

// Unescape returns the text without entities, however often they were escaped.
func Unescape(text string) string {
	for {
		next := html.UnescapeString(text)
		if next == text {
			return text
		}
		text = next
	}
}

// Page returns the text of a page but for its scripts and styles, and the attributes that a browser shows.
func Page(page string) string {
	root, err := nethtml.Parse(strings.NewReader(page))
	if err != nil {
		return ""
	}
	var out strings.Builder
	for n := range root.Descendants() {
		if n.Type == nethtml.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			out.WriteString(n.Data)
		}
		for _, a := range n.Attr {
			if address, err := url.PathUnescape(a.Val); err == nil && a.Key == "href" {
				a.Val = address
			}
			if a.Key == "href" || a.Key == "title" || a.Key == "data-lang" || n.Data == "code" && a.Key == "class" {
				out.WriteString(" " + a.Val + " ")
			}
		}
	}
	return out.String()
}
