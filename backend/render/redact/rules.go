package redact

import (
	"regexp"
	"slices"
	"strings"
)

// rules returns all rules, the more certain ones first.
func rules(j *judge) []rule {
	return slices.Concat(keyRules(), vendorRules(), headerRules(j), settingRules(j), commandRules(j), privateRules())
}

// keyRules find keys that span several lines.
func keyRules() []rule {
	return []rule{{
		kind: Secret, keywords: []string{"-----begin"}, lines: -1,
		pattern: regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`),
	}, {
		// A terminal wraps keys.
		kind: Secret, keywords: []string{"sk-", "ghp_", "github_pat_", "xoxb-", "glpat-"}, lines: 1, value: 1,
		pattern: regexp.MustCompile(`(?:^|[^A-Za-z0-9_])((?:sk-|ghp_|github_pat_|xoxb-|glpat-)[A-Za-z0-9_-]{10,}\n[A-Za-z0-9_-]{10,})(?:\s|["']|$)`),
		accept: func(m []string) bool {
			head, tail, _ := strings.Cut(m[1], "\n")
			return hasDigit(head) && hasDigit(tail) && varied(tail) && strings.ToLower(tail) != tail
		},
	}}
}

// headerRules find values in HTTP headers.
func headerRules(j *judge) []rule {
	return []rule{
		{
			kind: Secret, keywords: []string{"authorization"}, follows: sets, value: 2,
			pattern: regexp.MustCompile(`(?i)authorization\\?["']?\s*[:=]\s*\\?["']?(?:(basic|bearer|token|apikey|digest|negotiate|key)\s+)?([^\s"'\[\]<>;,\\()]{6,})`),
			accept: func(m []string) bool {
				return !j.isNoValue(m[2]) && (m[1] != "" || hasDigit(m[2]) && !j.identifier.MatchString(m[2]))
			},
		},
		{
			kind: Secret, keywords: []string{"bearer"}, value: 1, pattern: regexp.MustCompile(`(?i)\bbearer\s+([a-z0-9._~+/=-]{16,})`),
			accept: func(m []string) bool { return hasDigit(m[1]) && !j.isNoValue(m[1]) },
		},
		{
			kind: Secret, keywords: []string{"cookie"}, follows: sets, value: 1, pattern: regexp.MustCompile(`(?i)\b(?:set-)?cookie\\?["']?\s*:\s*\\?["']?([^\n"'\\]*=[^\n"'\\]*)`),
			accept: func(m []string) bool { return hasDigit(m[1]) && !j.isNoValue(m[1]) },
		},
		{
			kind: Secret, keywords: []string{"://"}, value: 1, pattern: regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"'<>]*:([^\s/"'<>]+)@`),
			accept: func(m []string) bool { return !j.isNoValue(m[1]) },
		},
		{kind: Secret, keywords: []string{"sig="}, value: 1, pattern: regexp.MustCompile(`(?i)[?&;]sig=([A-Za-z0-9%+/=_-]{20,})`)},
	}
}

// nameKeywords are in every name that secretNames matches.
func nameKeywords() []string {
	return []string{"key", "pass", "pwd", "secret", "token", "credential", "auth", "string", "cookie"}
}

// followsBytes is how far after a keyword a rule looks before it reads the line.
const followsBytes = 64

// assigned returns what follows the operator that assigns a value to a name, given the text after a word of that name:
// the rest of the name, quotes, and the operator. ok is false if there is no operator.
func assigned(rest string) (value string, ok bool) {
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return isLetter(r) || strings.ContainsRune("_-. ", r) })
	rest = strings.TrimLeft(rest, "\\\"']) \t")
	if rest == "" || !strings.ContainsRune(":=>", rune(rest[0])) {
		return "", false
	}
	return rest[1:], true
}

// sets reports whether the text after a word of a name assigns a value to that name.
func sets(rest string) bool {
	_, ok := assigned(rest)
	return ok
}

// setsQuoted returns a function that reports whether the text after a word of a name may assign it a value in quotes.
func setsQuoted(quote string) func(rest string) bool {
	return func(rest string) bool {
		value, ok := assigned(rest)
		return ok && strings.Contains(value, quote)
	}
}

// setsBare reports whether the text after a word of a name assigns it a value without quotes.
func setsBare(rest string) bool {
	value, ok := assigned(rest)
	value = strings.TrimLeft(value, " \t\r\n\f")
	return ok && (value == "" || !strings.ContainsRune("\"'`,;<>(){}[]&\\", rune(value[0])))
}

// settingRules find the values of settings: in code, YAML, JSON, .env, properties, XML, addresses.
func settingRules(j *judge) []rule {
	const name = `(?i)(?:^|[^a-z0-9_.-]|\\n)([a-z0-9_.-]*` + secretNames + `)`
	const sign = `\\?["']?\]?(?:\s*:\s*[a-z.\[\]]+)?\s*(?::=|=>|[:=])\s*`
	quoted := func(m []string) bool { return j.quoted(m[1], m[2]) }
	var all []rule
	for _, value := range []struct{ quote, pattern string }{
		{`\"`, `\\"([^"\\\n]{4,})\\"`}, {`"`, `"((?:[^"\\\n]|\\.){4,})"`}, {`'`, `'([^'\n]{4,})'`}, {"`", "`([^`\n]{4,})`"},
	} {
		all = append(all, rule{kind: Secret, keywords: nameKeywords(), follows: setsQuoted(value.quote), value: 2, pattern: regexp.MustCompile(name + sign + value.pattern), accept: quoted})
	}
	return append(all,
		rule{
			kind: Secret, keywords: nameKeywords(), follows: setsBare, value: 3,
			pattern: regexp.MustCompile(`(?i)(^|[^a-z0-9_.-]|\\n)([a-z0-9_.-]*` + secretNames + `)\\?["']?\s*[:=]\s*([^\s"'` + "`" + `,;<>(){}\[\]&\\]{4,})(.?)`),
			accept: func(m []string) bool {
				alone := m[4] == "" && !strings.ContainsAny(m[1], "(,{") || strings.ToUpper(m[2]) == m[2]
				return j.bare(m[2], m[3], m[4], alone)
			},
		},
		rule{ // for other names in capitals that end in KEY or PAT, only random-looking values
			kind: Secret, keywords: []string{"key", "_pat", "dsn"}, follows: sets, value: 1,
			pattern: regexp.MustCompile(`\b[A-Z][A-Z0-9_]*(?:KEY|_PAT|_DSN)["']?\s*[:=]\s*["']?([A-Za-z0-9_+/=.-]{8,})`),
			accept:  func(m []string) bool { return j.looksRandom(m[1]) && !j.isNoValue(m[1]) },
		},
		rule{
			kind: Secret, keywords: nameKeywords(), follows: sets, value: 2, pattern: regexp.MustCompile(`(?i)<([a-z0-9_.:-]*` + secretNames + `)>([^<\s]{4,})</`),
			accept: quoted,
		},
		rule{
			kind: Secret, keywords: nameKeywords(), value: 2, lines: 1, follows: func(rest string) bool { return strings.Contains(rest, "value") },
			pattern: regexp.MustCompile(`(?i)(?:key|name)["']?\s*[:=]\s*["']?([a-z0-9_.:-]*` + secretNames + `)["']?,?\s+["']?value["']?\s*[:=]\s*["']?([^\s"'<>]{4,})`),
			accept:  func(m []string) bool { return j.bare(m[1], m[2], "", true) },
		},
		rule{
			kind: Secret, keywords: []string{"pass"}, value: 1, pattern: regexp.MustCompile(`(?i)\bpass(?:word|phrase)\s+(?:is|was)\s*:?\s*["'` + "`" + `]?([^\s"'` + "`" + `,]{4,})`),
			accept: func(m []string) bool { return hasDigit(m[1]) },
		},
	)
}

// flags reports whether a value may follow a word of a command's flag.
func flags(rest string) bool {
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return isLetter(r) || r == '-' })
	return rest != "" && strings.ContainsRune("= \t", rune(rest[0]))
}

// commandRules find values in command lines and in configuration files of tools.
func commandRules(j *judge) []rule {
	value := func(n int) func(m []string) bool {
		return func(m []string) bool { return !j.isNoValue(m[n]) && strings.Trim(m[n], "0123456789:.") != "" }
	}
	return []rule{
		{
			kind: Secret, keywords: []string{"-u ", "-u=", "-u\"", "-u'", "--user", "--proxy-user"}, value: 1,
			pattern: regexp.MustCompile(`(?:^|\s)(?:-u|--user|--proxy-user)[\s=]*["']?[^\s:"'=/-][^\s:"']*:([^\s"'/]{3,})`), accept: value(1),
		},
		{
			kind: Secret, keywords: []string{"pass", "token", "secret", "key", "pwd"}, value: 2, follows: flags,
			pattern: regexp.MustCompile(`(?i)--((?:[a-z0-9]+-)*(?:password|passwd|pass|pwd|passphrase|token|secret|api-?key|access-key|secret-key|auth-?token|secret-access-key))(?:\s+|=)["']?([^\s"'-][^\s"']{3,})`),
			accept:  func(m []string) bool { return j.bare(m[1], m[2], "", true) },
		},
		{
			kind: Secret, keywords: []string{"mysql", "mariadb", "sshpass", "login", "redis-cli", "mongo"}, value: 1,
			pattern: regexp.MustCompile(`\b(?:mysql(?:dump|admin)?|mariadb|sshpass|login|redis-cli|mongo(?:sh|dump)?)\b[^\n|;]*?\s-[pa]\s?["']?([^\s"'-][^\s"']{3,})`), accept: value(1),
		},
		{
			kind: Secret, keywords: []string{"login "}, value: 1, lines: 1, pattern: regexp.MustCompile(`\blogin\s+\S+\s+password\s+(\S{3,})`), accept: value(1), // netrc
		},
		{kind: Secret, keywords: []string{":5432:", ":*:"}, value: 1, pattern: regexp.MustCompile(`(?m)^[^\s:]+:(?:5432|\*):[^\s:]+:[^\s:]+:(\S{3,})$`), accept: value(1)}, // pgpass
	}
}

// awsSecrets appends the secret halves of AWS keys, which no keyword identifies: forty characters of base64. They count
// as found by rule n.
func awsSecrets(found []match, n int, text string) []match {
	begin := 0
	for i := range len(text) + 1 {
		if i < len(text) && isBase64(text[i]) {
			continue
		}
		if i-begin == 40 && isAWSSecret(text[begin:i]) && (i == len(text) || text[i] != '=' && text[i] != '_' && text[i] != '-') {
			found = append(found, match{rule: n, from: begin, to: i, kind: Secret})
		}
		begin = i + 1
	}
	return found
}

func isBase64(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '/' || b == '+'
}

// isAWSSecret reports whether forty characters are mixed more than those of a path or a checksum.
func isAWSSecret(value string) bool {
	var upper, lower, digits int
	for _, r := range value {
		switch {
		case r >= 'A' && r <= 'Z':
			upper++
		case r >= 'a' && r <= 'z':
			lower++
		case r >= '0' && r <= '9':
			digits++
		}
	}
	return upper >= 6 && lower >= 6 && digits >= 2 && 40-upper-lower-digits <= 5
}
