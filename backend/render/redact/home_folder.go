package redact

import (
	"regexp"
	"strings"
)

// privateRules find the names in home folders, and e-mail addresses.
func privateRules() []rule {
	const end = `[^/\\\s"'` + "`" + `<>:|*?,;()\[\]{}]+`
	return []rule{
		{kind: Home, keywords: []string{"/home/", "/users/"}, at: homeAt},
		{kind: Home, keywords: []string{`\users`, `:/users`}, value: 1, pattern: regexp.MustCompile(`(?i)\b([a-z]:(?:\\\\?|/)Users(?:\\\\?|/)` + end + `)`)},
		{kind: Home, keywords: []string{"-home-", "-users-"}, value: 1, pattern: regexp.MustCompile(`(?:^|[/\\\s"'])(-(?:home|Users)-[A-Za-z0-9]+)`)}, // folders of Claude Code
		{kind: Email, keywords: []string{"@"}, at: emailAt},
	}
}

// homeAt returns the home folder whose "/home/" or "/Users/" ends at end, with the drive of a Windows Subsystem for
// Linux before it.
func homeAt(text string, end int) (from, to int, ok bool) {
	from = strings.LastIndexByte(text[:end-1], '/')
	if word := text[from:end]; word != "/home/" && word != "/Users/" {
		return 0, 0, false
	}
	if drive := from - len("/mnt/c"); drive >= 0 && strings.HasPrefix(text[drive:], "/mnt/") && text[from-1] >= 'a' && text[from-1] <= 'z' {
		from = drive
	}
	if from > 0 && (isAlnum(text[from-1]) || strings.IndexByte("_.~-", text[from-1]) >= 0) {
		return 0, 0, false
	}
	name := strings.IndexAny(text[end:], "/\\ \t\n\f\r\"'`<>:|*?,;()[]{}")
	if name < 0 {
		name = len(text) - end
	}
	return from, end + name, name > 0
}

// emailAt returns the address whose @ is before end. The user of git over SSH is no address.
func emailAt(text string, end int) (from, to int, ok bool) {
	at := end - 1
	from = at
	for from > 0 && (isAlnum(text[from-1]) || strings.IndexByte("._%+-", text[from-1]) >= 0) {
		from--
	}
	for from < at && !isAlnum(text[from]) {
		from++
	}
	to = domainEnd(text, end)
	return from, to, from < at && to > 0 && text[from:end] != "git@"
}

// domainEnd returns the end of the domain at a position: labels, the last of which begins with two letters; 0 if the
// text there is no domain.
func domainEnd(text string, at int) (end int) {
	for first := true; ; first = false {
		label := at
		for at < len(text) && (isAlnum(text[at]) || text[at] == '-') {
			at++
		}
		letters := label
		for letters < at && isLetter(rune(text[letters])) {
			letters++
		}
		if !first && letters-label >= 2 {
			end = letters
		}
		if at == label || at == len(text) || text[at] != '.' {
			return end
		}
		at++
	}
}

func isAlnum(b byte) bool { return isLetter(rune(b)) || b >= '0' && b <= '9' }
