package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// secretNames matches the words that end the name of a setting with a secret value.
const secretNames = `(?:api[_.-]?key|secret[_.-]?key(?:[_.-]?base)?|access[_.-]?key|auth[_.-]?key|private[_.-]?key|account[_.-]?key|shared[_.-]?access[_.-]?key|` +
	`encryption[_.-]?key|signing[_.-]?key|master[_.-]?key|service[_.-]?role[_.-]?key|license[_.-]?key|deploy[_.-]?key|client[_.-]?key[_.-]?data|` +
	`passw(?:or)?d|passwort|passphrase|pass[_.-]?phrase|pass|pwd|secret|secrets|token|credentials?|auth|authorization|x-api-key|_authtoken|connection[_.-]?string|cookie|set-cookie)`

// isSecretName reports whether the value of a setting, header or member of this name is secret.
func (r *Redactor) isSecretName(name string) bool {
	if len(name) >= 80 {
		return false
	}
	is, known := r.secretNames[name]
	if !known {
		is = r.judge.secretName.MatchString(name)
		if len(r.secretNames) < maxNames {
			r.secretNames[name] = is
		}
	}
	return is
}

// maxNames bounds the remembered names: where members are named by data there is no end of them.
const maxNames = 10_000

// secretName matches names in snake, kebab, dotted and camel case. A plural, such as max_tokens, names a number.
func secretName() *regexp.Regexp {
	return regexp.MustCompile(`(?i:^(?:.*[_.-])?` + secretNames + `$)|^[A-Za-z0-9]*(?:ApiKey|APIKey|SecretKey|AccessKey|PrivateKey|AccountKey|Secret|Token|Password|Passphrase|Pwd)$`)
}

// passwordName reports whether a name is that of a password, which users choose and which need not look random.
func passwordName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"pass", "passwd", "password", "pwd", "passphrase", "passwort", "pass_phrase", "pass-phrase"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

// isNoValue reports whether a value is only the name, the source or a placeholder of a secret.
func (j *judge) isNoValue(value string) bool {
	lower := strings.ToLower(strings.Trim(value, `"'`))
	if strings.Contains(lower, "[redacted") || strings.ContainsAny(value, "<>{}()") || strings.HasPrefix(value, "$") && !strings.Contains(value[1:], "$") || strings.HasPrefix(value, "%") {
		return true
	}
	for _, stand := range []string{"your", "example", "placeholder", "changeme", "xxxx", "****", "....", "redacted", "dummy", "sample", "todo", "insert", "replace", "process.env", "os.environ", "getenv", "secrets.", "vault:", "op://", "aws_secretsmanager", "ssm:"} {
		if strings.Contains(lower, stand) {
			return true
		}
	}
	return j.plainWords.MatchString(lower)
}

// judge decides whether a value is secret, given its name.
type judge struct {
	secretName *regexp.Regexp
	plainWords *regexp.Regexp // types, constants, and names of values
	identifier *regexp.Regexp // words of code that have digits at their end or between dots: user_id2, v1.2.3, 2024-01-02
}

func newJudge() *judge {
	return &judge{secretName: secretName(), plainWords: regexp.MustCompile(plainWords), identifier: regexp.MustCompile(identifier)}
}

const plainWords = `^(?:str|string|text|bytes?|int|integer|number|bool|boolean|any|unknown|object|null|nil|none|undefined|true|false|required|optional|hidden|password|passwd|secret|token|auth|bearer|basic|digest|oauth2?|jwt|default|empty|auto|inherit|test|field|input|varchar|self|this|new|old|value|var|env|file|config|read|write|[a-z]+_?(?:key|name|id|type|field|url|path|file|hash|token|secret|password))$`

const identifier = `^(?:[A-Za-z]+(?:[_.-][A-Za-z]+)*[_.-]?[0-9]{1,3}|v?[0-9]+(?:[._-][0-9A-Za-z]+){1,4}|[A-Za-z_]+\.[A-Za-z0-9_.]+|[0-9-]+T[0-9:.Z+-]+)$`

// looksRandom reports whether a word looks machine-generated: letters and digits that change often.
func (j *judge) looksRandom(value string) bool {
	if len(value) < 8 || !hasDigit(value) || !strings.ContainsFunc(value, isLetter) {
		return false
	}
	if j.identifier.MatchString(value) {
		return false
	}
	return varied(value)
}

// varied reports whether a word has enough different characters: "aaaa1" has not.
func varied(value string) bool {
	seen := map[rune]bool{}
	for _, r := range value {
		seen[r] = true
	}
	return len(seen) >= 6 || len(seen) >= 4 && len(value) < 12
}

// isSentence reports whether a quoted text is meant for users: a label or a hint, not a passphrase.
func isSentence(value string) bool {
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	for _, word := range words {
		switch word {
		case "enter", "your", "please", "must", "password", "passphrase", "invalid", "is", "the", "reset", "forgot", "required", "a", "an", "for", "to", "of", "not",
			"new", "confirm", "current", "token", "secret", "key", "show", "hide", "incorrect", "wrong", "missing", "use", "with":
			return true
		}
	}
	return len(words) < 3
}

// quoted reports whether a quoted value is the secret of a setting.
func (j *judge) quoted(name, value string) bool {
	switch {
	case j.isNoValue(value):
		return false
	case strings.ContainsAny(value, " \t"):
		return passwordName(name) && !isSentence(value)
	case passwordName(name):
		return true
	}
	return len(value) >= 6 && (hasDigit(value) && varied(value) || strings.ContainsAny(value, "-!@#%^*+/=") && len(value) >= 12)
}

// bare reports whether an unquoted value is the secret of a setting. alone is true if nothing else is on the line, and
// no code has this form.
func (j *judge) bare(name, value, after string, alone bool) bool {
	if name == "PASS" && strings.HasPrefix(value, "Test") { // the outcome of a Go test
		return false
	}
	if after == "(" || after == "[" || j.isNoValue(value) || strings.HasPrefix(value, "/") || strings.HasPrefix(value, "./") {
		return false
	}
	if passwordName(name) {
		return alone && len(value) >= 4 || hasDigit(value) && !j.identifier.MatchString(value) || strings.ContainsAny(value, "!@#%^*")
	}
	if alone && hasDigit(value) && strings.ContainsFunc(value, isLetter) && len(value) >= 6 && !strings.Contains(value, ".") {
		return true
	}
	return j.looksRandom(value)
}
