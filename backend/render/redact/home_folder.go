package redact

import (
	"regexp"
	"strings"
)

// privateRules find the names in home folders, and e-mail addresses.
func privateRules() []rule {
	const end = `[^/\\\s"'` + "`" + `<>:|*?,;()\[\]{}]+`
	return []rule{
		{kind: Home, keywords: []string{"/home/", "/users/"}, value: 1, pattern: regexp.MustCompile(`(?:^|[^A-Za-z0-9_.~-])((?:/mnt/[a-z])?/(?:home|Users)/` + end + `)`)},
		{kind: Home, keywords: []string{`\users`, `:/users`}, value: 1, pattern: regexp.MustCompile(`(?i)\b([a-z]:(?:\\\\?|/)Users(?:\\\\?|/)` + end + `)`)},
		{kind: Home, keywords: []string{"-home-", "-users-"}, value: 1, pattern: regexp.MustCompile(`(?:^|[/\\\s"'])(-(?:home|Users)-[A-Za-z0-9]+)`)}, // folders of Claude Code
		{
			kind: Email, keywords: []string{"@"}, value: 1, pattern: regexp.MustCompile(`([A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})`),
			accept: func(m []string) bool { return !strings.HasPrefix(m[1], "git@") },
		},
	}
}
