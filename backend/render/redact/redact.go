// Package redact takes out of what leaves the machine what should not: keys and tokens, the names in home
// paths, and e-mail addresses. It knows the shapes such things have; it cannot know every secret.
package redact

import (
	"fmt"
	"regexp"
	"strings"
)

// Kind says what was taken out.
type Kind string

// The kinds.
const (
	Secret Kind = "secret"
	Email  Kind = "email"
	Home   Kind = "home"
)

// Redactor replaces the same value by the same placeholder throughout. It is for one export, and
// not safe for concurrent use.
type Redactor struct {
	rules      []rule
	secretName *regexp.Regexp    // of members of JSON objects
	names      map[string]string // placeholders by kind and value
	last       map[Kind]int
	counts     map[Kind]int64
}

// rule finds one kind of thing. Of a pattern with the group "value", only that group is replaced.
type rule struct {
	kind    Kind
	pattern *regexp.Regexp
	value   int
	accept  func(match []string) bool // nil: every match
}

// New returns a Redactor.
func New() *Redactor {
	return &Redactor{
		rules: rules(), secretName: secretName(), names: map[string]string{}, last: map[Kind]int{}, counts: map[Kind]int64{},
	}
}

// Counts returns how often each kind of thing was replaced.
func (r *Redactor) Counts() map[Kind]int64 { return r.counts }

// Text returns the text with placeholders.
func (r *Redactor) Text(text string) string {
	for _, rule := range r.rules {
		text = r.apply(rule, text)
	}
	return text
}

func (r *Redactor) apply(rule rule, text string) string {
	var out strings.Builder
	done := 0
	for _, at := range rule.pattern.FindAllStringSubmatchIndex(text, -1) {
		from, to := at[2*rule.value], at[2*rule.value+1]
		value := text[from:to]
		if strings.HasPrefix(value, "[redacted") || rule.accept != nil && !rule.accept(groups(text, at)) {
			continue
		}
		out.WriteString(text[done:from])
		out.WriteString(r.placeholder(rule.kind, value))
		done = to
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

func groups(text string, at []int) []string {
	out := make([]string, len(at)/2)
	for i := range out {
		if at[2*i] >= 0 {
			out[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	return out
}

func (r *Redactor) placeholder(kind Kind, value string) string {
	r.counts[kind]++
	if kind == Home {
		return "~"
	}
	key := string(kind) + "\x00" + value
	if name, ok := r.names[key]; ok {
		return name
	}
	r.last[kind]++
	name := fmt.Sprintf("[redacted %s %d]", kind, r.last[kind])
	r.names[key] = name
	return name
}

// shapes are keys that tell themselves by how they begin, as their vendors document them and secret scanners look for them.
func shapes() []string {
	return []string{
		`sk-[A-Za-z0-9_-]{20,}`, // OpenAI, Anthropic (sk-ant-), DeepSeek, OpenRouter
		`(?:AKIA|ASIA)[A-Z0-9]{16}`,
		`gh[pousr]_[A-Za-z0-9]{30,}`, `github_pat_[A-Za-z0-9_]{22,}`,
		`gl(?:pat|ptt|rt|dt|cbt)-[A-Za-z0-9_-]{20,}`,
		`xox[abeoprs]-[A-Za-z0-9-]{10,}`, `xapp-[A-Za-z0-9-]{10,}`,
		`AIza[A-Za-z0-9_-]{35}`, `ya29\.[A-Za-z0-9_-]{20,}`, `GOCSPX-[A-Za-z0-9_-]{20,}`,
		`[srp]k_(?:live|test)_[A-Za-z0-9]{16,}`, `whsec_[A-Za-z0-9+/=]{20,}`,
		`npm_[A-Za-z0-9]{36}`, `pypi-[A-Za-z0-9_-]{40,}`, `hf_[A-Za-z0-9]{30,}`,
		`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
		`xai-[A-Za-z0-9]{20,}`, `gsk_[A-Za-z0-9]{20,}`, `r8_[A-Za-z0-9]{30,}`, `pplx-[A-Za-z0-9]{20,}`,
		`lin_api_[A-Za-z0-9]{20,}`, `ntn_[A-Za-z0-9]{30,}`, `do[opr]_v1_[a-f0-9]{40,}`, `dapi[a-f0-9]{32}`,
		`hv[sb]\.[A-Za-z0-9_-]{20,}`, `tskey-[a-z]+-[A-Za-z0-9-]{16,}`, `AGE-SECRET-KEY-1[A-Z0-9]{50,}`,
		`[0-9]{8,10}:AA[A-Za-z0-9_-]{33}`,                                  // Telegram
		`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`, // JSON web tokens, RFC 7519
	}
}

// names are the words by which a setting says that its value is secret.
const names = `(?:api[_-]?key|apikey|secret|token|passw(?:or)?d|passphrase|credentials?|private[_-]?key|access[_-]?key|auth[_-]?key)`

func rules() []rule {
	return []rule{
		{kind: Secret, pattern: regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`)},
		{kind: Secret, pattern: regexp.MustCompile(`(?:^|[^A-Za-z0-9_])(` + strings.Join(shapes(), "|") + `)`), value: 1},
		{kind: Secret, pattern: regexp.MustCompile(`(?i)\bauthorization["']?\s*[:=]\s*["']?(?:[a-z]+\s+)?([^\s"'\[\]<>;,]{6,})`), value: 1, accept: isNoScheme},
		{kind: Secret, pattern: regexp.MustCompile(`(?i)\bbearer\s+([a-z0-9._~+/=-]{16,})`), value: 1, accept: func(m []string) bool { return hasDigit(m[1]) }},
		{kind: Secret, pattern: regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s/:@"'<>]*:([^\s/@"'<>]+)@`), value: 1},
		{kind: Secret, pattern: regexp.MustCompile(`(?i)\b([a-z0-9_.-]*` + names + `)["']?\s*(?::=|=>|[:=])\s*"([^"\n]{6,})"`), value: 2, accept: isQuotedSecret},
		{kind: Secret, pattern: regexp.MustCompile(`(?i)\b([a-z0-9_.-]*` + names + `)["']?\s*(?::=|=>|[:=])\s*'([^'\n]{6,})'`), value: 2, accept: isQuotedSecret},
		{kind: Secret, pattern: regexp.MustCompile(`(?i)\b([a-z0-9_.-]*` + names + `)\s*[:=]\s*([a-z0-9_+/=.~!@#%^*-]{6,})(.?)`), value: 2, accept: isBareSecret},
		{kind: Secret, pattern: regexp.MustCompile(`\b([A-Z0-9_]*(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD))=([^\s"'$<>(){}\[\]&;]{4,})`), value: 2},
		{kind: Home, pattern: regexp.MustCompile(`(?:^|[^A-Za-z0-9_.~-])((?:/mnt/[a-z])?/(?:home|Users)/[^/\\\s"'` + "`" + `<>:|*?,;()\[\]{}]+)`), value: 1},
		{kind: Home, pattern: regexp.MustCompile(`(?i)\b([a-z]:(?:\\\\?|/)Users(?:\\\\?|/)[^/\\\s"'` + "`" + `<>:|*?,;()\[\]{}]+)`), value: 1},
		{kind: Home, pattern: regexp.MustCompile(`(?:^|[/\\\s"'])(-(?:home|Users)-[A-Za-z0-9]+)`), value: 1}, // folders of Claude Code
		{kind: Email, pattern: regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)},
	}
}

// isQuotedSecret lets through what only names a secret or says where it comes from.
func isQuotedSecret(m []string) bool {
	return !strings.ContainsAny(m[2], " ${}<>()")
}

// isBareSecret takes a word without quotes for a secret where it has letters and digits and is no call: code
// says "token = readToken(x)".
func isBareSecret(m []string) bool {
	return hasDigit(m[2]) && strings.ContainsFunc(m[2], isLetter) && m[3] != "(" && m[3] != "["
}

// isNoScheme keeps the word before a token, as in "Authorization: Bearer".
func isNoScheme(m []string) bool {
	switch strings.ToLower(m[1]) {
	case "bearer", "digest", "negotiate":
		return false
	}
	return true
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
