package main

import (
	"fmt"
	"regexp"
	"strings"
)

// idiom is a phrase that the house style replaces.
type idiom struct {
	pattern *regexp.Regexp
	use     string
}

// finding is an idiom in a file.
type finding struct {
	path   string
	line   int // counted from 1
	phrase string
	use    string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %q: use %s", f.path, f.line, f.phrase, f.use)
}

// idioms returns what is searched for. A phrase may span two lines.
func idioms() []idiom {
	phrase := func(pattern, use string) idiom {
		return idiom{regexp.MustCompile(`(?i)\b(?:` + strings.ReplaceAll(pattern, " ", `\s+`) + `)\b`), use}
	}
	return []idiom{
		phrase(`(?:says?|said) (?:whether|if)`, "reports whether"),
		phrase(`(?:says?|said) (?:what|how|who|where|which|why|when|so|of)`, "returns, reports, describes"),
		phrase(`tells|told`, "reports, shows, distinguishes"),
		phrase(`stands|stood`, "is, is stored, represents"),
		phrase(`anew`, "again, new"),
		phrase(`h[au]ngs? (?:on|below|from|under|at)`, "is a child of, belongs to"),
		phrase(`persons?`, "user"),
		phrase(`of (?:its|their) own accord`, "by itself, unasked"),
		phrase(`there (?:is|are|was|were) none`, "no X, none exists, missing"),
		phrase(`(?:is|are) made with`, "has, holds"),
		phrase(`go on|goes on|going on|went on`, "continue, resume"),
		phrase(`stretch|stretches`, "range"),
		phrase(`(?:for|by|of|to|from|with) who`, "the user, a caller that"),
	}
}

// match returns the idioms in a block of text.
func match(path string, block block) []finding {
	var found []finding
	for _, idiom := range idioms() {
		for _, at := range idiom.pattern.FindAllStringIndex(block.text, -1) {
			found = append(found, finding{
				path:   path,
				line:   block.line + strings.Count(block.text[:at[0]], "\n"),
				phrase: strings.Join(strings.Fields(block.text[at[0]:at[1]]), " "),
				use:    idiom.use,
			})
		}
	}
	return found
}
