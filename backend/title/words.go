package title

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"coppice/backend/lazyregexp"
)

func isWeakPrompt(text string) bool {
	switch text {
	case "yes", "yes please", "yep", "yeah", "y", "no", "n", "nope", "ok", "okay", "k", "sure", "fine", "good", "great", "perfect", "nice",
		"continue", "please continue", "go", "go on", "go ahead", "proceed", "do it", "do that", "next", "done", "retry", "try again", "again",
		"resume", "start", "begin", "stop", "exit", "hi", "hello", "hey", "hi there", "hello there", "thanks", "thank you", "thx", "test", "testing", "ping",
		"hallo", "there", "dear", "please", "warmup", "clear", "help", "commit", "push", "what", "why", "hmm", "sí", "si", "ja", "nein", "weiter", "oui", "non", "好", "好的", "继续", "是", "是的":
		return true
	}
	return false
}

// IsWeak reports whether a title names nothing: a word of agreement, a number, a mark.
func IsWeak(title string) bool {
	plain := strings.ToLower(strings.TrimFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	plain = strings.ReplaceAll(plain, ",", "")
	letters := 0
	for _, r := range plain {
		if unicode.IsLetter(r) {
			letters++
			if r >= 0x2e80 { // a word by itself
				letters += 2
			}
		}
	}
	named := slices.ContainsFunc(strings.Fields(plain), func(word string) bool { return !isWeakPrompt(word) })
	return letters < 3 || !named || isWeakPrompt(plain) || strings.HasPrefix(title, "/") && !strings.Contains(title, " ")
}

// isGeneric reports whether a heading names a section, not a subject.
func isGeneric(heading string) bool {
	switch strings.ToLower(strings.Trim(heading, " :.#")) {
	case "", "plan", "the plan", "implementation plan", "implementation", "context", "summary", "overview", "task", "tasks", "goal", "goals", "background", "problem",
		"problem statement", "instructions", "objective", "objectives", "introduction", "intro", "description", "requirements", "request", "prompt", "your task", "issue",
		"bug", "feature", "todo", "notes", "details", "proposal", "design", "question", "questions", "analysis", "steps", "changes", "scope", "system", "role", "user", "input":
		return true
	}
	return false
}

var kindOfDocument = lazyregexp.New(`(?i)^(?:(?:implementation|refactoring|refactor|migration|test|testing|design|technical|feature|bug ?fix|fix|project|detailed|final|revised|updated)\s+)?(?:plan|review|proposal|task|goal|spec|design|issue|rfc|feature|bug|title|todo)\s*(?::|—|–|-\s|\bfor\b|\bto\b)\s*`)

// withoutKind removes the kind of document that a heading begins with: the plans of a library would all begin alike.
func withoutKind(heading string) string {
	heading = strings.TrimSpace(listNumber.ReplaceAllString(heading, ""))
	if rest := kindOfDocument.ReplaceAllString(heading, ""); len(strings.Fields(rest)) > 1 {
		return rest
	}
	return heading
}

var (
	listNumber = lazyregexp.New(`^(?:\d{1,2}[.)]\s+)`)
	greeting   = lazyregexp.New(`(?i)^(?:hi|hello|hey|good (?:morning|evening|afternoon)|hola|hallo)(?:\s+(?:there|claude|codex|gemini|all|everyone|team))?\s*[,.!:–-]+\s+`)
	filler     = lazyregexp.New(`(?i)^(?:(?:ok|okay|so|well|alright|right|cool|perfect|thanks|great|hmm)[,.!]\s+)+`)
	remark     = lazyregexp.New(`(?i)^(?:(?:ok|okay|so|well|alright|now|and)[,.!]?\s+)*(?:this|that|it|these|those|there|here|i|we|i'm|i've|we've|it's|that's|looks|nice|great|good|thanks|thank)\b`)
	courtesy   = lazyregexp.New(`(?i)^(?:(?:ok|okay|so|now|also|great|well|alright|right|cool|perfect|thanks|and|actually)[,.!]?\s+)*(?:` +
		`(?:please\s+)?(?:can|could|would|will) you (?:please |also |now |maybe |help me (?:to )?|quickly )*` +
		`|(?:can|could|should|may) (?:we|i) (?:please |also |now |maybe |just )*` +
		`|(?:i want|i'd like|i would like|i need|we need|i wanted) (?:you |us )?to ` +
		`|(?:let's|lets|let us) (?:please |also |now |just )*` +
		`|(?:please|pls|kindly)[,]?\s+(?:help me (?:to )?)?` +
		`|help me (?:to )?` +
		`|your (?:task|job|goal) is to ` +
		`)`)
	// lookFirst is what to look at before the work that the request is about.
	lookFirst = lazyregexp.New(`(?i)^(?:take a )?look (?:at|into|through) [^.?!]{3,60}? and (?:then )?(update|add|fix|change|improve|write|create|remove|delete|refactor|implement|move|rename|explain|suggest)\b`)
)

// withoutGreeting removes a greeting before other words.
func withoutGreeting(text string) string {
	if at := greeting.FindStringIndex(text); at != nil && at[1] < len(text) {
		return text[at[1]:]
	}
	return text
}

// withoutCourtesy removes the words with which a request begins: "can you review it?" is titled "Review it".
func withoutCourtesy(sentence string) string {
	sentence = filler.ReplaceAllString(sentence, "")
	at := courtesy.FindStringIndex(sentence)
	if at == nil {
		return sentence
	}
	rest := lookFirst.ReplaceAllString(strings.TrimSpace(sentence[at[1]:]), "$1")
	if len(strings.Fields(rest)) < 2 {
		return sentence
	}
	return strings.TrimSuffix(rest, "?")
}

var (
	link     = lazyregexp.New(`https?://[^\s<>()\[\]"']+`)
	longPath = lazyregexp.New(`[\w.@~:+-]*(?:[/\\][\w.@+-]+){4,}[/\\]?`)
)

// shortenLinks replaces links and long paths by their ends, which tell them apart.
func shortenLinks(text string) string {
	text = link.ReplaceAllStringFunc(text, func(raw string) string {
		trailing := raw[len(strings.TrimRight(raw, ".,;:!?")):]
		u, err := url.Parse(strings.TrimSuffix(raw, trailing))
		if err != nil || u.Host == "" {
			return raw
		}
		return nameOfLink(u) + trailing
	})
	return longPath.ReplaceAllStringFunc(text, func(raw string) string {
		return path.Base(strings.TrimRight(strings.ReplaceAll(raw, `\`, "/"), "/"))
	})
}

// nameOfLink returns what a link is about: host, and the end of its path.
func nameOfLink(u *url.URL) string {
	host := strings.TrimPrefix(u.Hostname(), "www.")
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	if host == "github.com" && len(parts) >= 4 {
		switch repository := parts[0] + "/" + parts[1]; parts[2] {
		case "pull", "issues", "discussions":
			return repository + "#" + parts[3]
		case "actions":
			return repository + " CI run"
		default:
			return repository + " " + path.Base(u.Path)
		}
	}
	if host == "github.com" && len(parts) > 0 {
		return strings.Join(parts, "/")
	}
	if len(parts) == 0 {
		return host
	}
	last := parts[len(parts)-1]
	if utf8.RuneCountInString(last) > 40 {
		return host
	}
	return host + "/" + last
}
