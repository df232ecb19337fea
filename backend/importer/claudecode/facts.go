package claudecode

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Lengths of what is taken from the first prompt, in characters.
const (
	taskLength  = 1000
	titleLength = 100
)

// said is what the messages of one thread say of their session.
type said struct {
	createdAtMs int64
	cwd         string
	model       string         // the last one that answered
	task        string         // the first prompt
	command     string         // the first command, for a session without a prompt
	prompt      uint64         // the hash of the first prompt
	files       map[string]int // file → edits that were not refused
}

func (s *said) take(kind class, r *record) {
	if s.createdAtMs == 0 {
		s.createdAtMs = r.timeMs
	}
	if s.cwd == "" {
		s.cwd = r.cwd
	}
	switch {
	case kind == reply && r.model != "":
		s.model = r.model
	case kind == prompt && s.task == "":
		words := promptText(r)
		s.prompt = hash(words)
		s.task = strings.Clone(cut(strings.TrimSpace(words), taskLength))
	case kind == command && s.command == "":
		s.command = strings.Clone(commandLine(promptText(r)))
	}
}

func (s *said) changes(file string) {
	if file == "" {
		return
	}
	if s.files == nil {
		s.files = map[string]int{}
	}
	s.files[file]++
}

func (s *said) refused(file string) { s.files[file]-- }

// changed lists the files that were changed, sorted.
func (s *said) changed() []string {
	list := make([]string, 0, len(s.files))
	for f, edits := range s.files {
		if edits > 0 {
			list = append(list, f)
		}
	}
	slices.Sort(list)
	return list
}

// title is what to call the thread where nobody named it.
func (s *said) title() string {
	if s.task != "" {
		return oneLine(s.task)
	}
	return oneLine(s.command)
}

// facts are what the records beside the messages say of the session.
type facts struct {
	sessionID   string // the first one
	createdAtMs int64
	cwd         string // the first one
	customTitle string
	aiTitle     string
	summaries   []summary
	said        map[string]string // version, branch, …: the newest
	meta        fields
	prLinks     []string
}

// summary is a title that Claude Code gave to the conversation that ends at leaf, in any file.
type summary struct{ leaf, text string }

func (f *facts) take(r *record) {
	if f.sessionID == "" {
		f.sessionID = r.sessionID
	}
	if f.createdAtMs == 0 {
		f.createdAtMs = r.timeMs
	}
	if f.cwd == "" {
		f.cwd = r.cwd
	}
	switch r.kind {
	case "user", "assistant":
		f.say("version", r.version)
		f.say("gitBranch", r.gitBranch)
		f.say("slug", r.slug)
		f.say("entrypoint", r.entrypoint)
		f.say("forkedFrom", r.forkedFrom)
	case "custom-title":
		f.customTitle = oneLine(text(r.all.Get("customTitle")))
	case "ai-title":
		f.aiTitle = oneLine(text(r.all.Get("aiTitle")))
	case "summary":
		f.summaries = append(f.summaries, summary{strings.Clone(text(r.all.Get("leafUuid"))), oneLine(text(r.all.Get("summary")))})
	case "pr-link":
		if url := text(r.all.Get("prUrl")); url != "" && !slices.Contains(f.prLinks, url) {
			f.prLinks = append(f.prLinks, strings.Clone(url))
		}
	case "agent-name":
		f.say("agentName", text(r.all.Get("agentName")))
	case "agent-setting":
		f.say("agentSetting", text(r.all.Get("agentSetting")))
	case "relocated":
		f.say("relocatedCwd", text(r.all.Get("relocatedCwd")))
	case "worktree-state":
		f.meta.set("worktreeSession", raw(r.all.Get("worktreeSession")))
	case "cost-state":
		f.meta.set("costState", raw(r.all))
	}
}

// say keeps the newest of what is said again and again.
func (f *facts) say(key, value string) {
	if value != "" && f.said[key] != value {
		if f.said == nil {
			f.said = map[string]string{}
		}
		f.said[key] = strings.Clone(value)
	}
}

// json returns what is said of the session, a JSON object; nil where there is nothing.
func (f *facts) json() json.RawMessage {
	all := f.meta
	for k, v := range f.said {
		all.set(k, quote(v))
	}
	if len(f.prLinks) > 0 {
		links, _ := json.Marshal(f.prLinks) // strings always encode
		all.set("prLinks", links)
	}
	return all.json()
}

// fields are the fields of a JSON object.
type fields map[string]json.RawMessage

// set adds a field; an empty value adds none.
func (f *fields) set(key string, value json.RawMessage) {
	if len(value) == 0 {
		return
	}
	if *f == nil {
		*f = fields{}
	}
	(*f)[key] = value
}

// json encodes the object, keys in order; nil where it is empty.
func (f fields) json() json.RawMessage {
	if len(f) == 0 {
		return nil
	}
	b, err := json.Marshal(map[string]json.RawMessage(f))
	if err != nil {
		return nil // cannot be: the values come out of a valid line
	}
	return b
}

// quote encodes a string.
func quote(s string) json.RawMessage {
	b, _ := json.Marshal(s) // strings always encode
	return b
}

// promptText returns the words of a prompt.
func promptText(r *record) string {
	content := r.content
	if r.kind == "attachment" {
		content = r.attachment.Get("prompt")
	}
	if content.Type == gjson.String {
		return text(content)
	}
	var words []string
	each(content, func(_ string, block gjson.Result) bool {
		if t := text(block.Get("text")); t != "" {
			words = append(words, t)
		}
		return true
	})
	return strings.Join(words, "\n")
}

// commandLine returns "/name arguments" of a command's record, and nothing for other ones.
func commandLine(words string) string {
	name := strings.TrimSpace(between(words, "<command-name>", "</command-name>"))
	if name == "" {
		return ""
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return strings.TrimSpace(name + " " + strings.TrimSpace(between(words, "<command-args>", "</command-args>")))
}

func between(s, from, to string) string {
	_, s, found := strings.Cut(s, from)
	if !found {
		return ""
	}
	s, _, found = strings.Cut(s, to)
	if !found {
		return ""
	}
	return s
}

// oneLine makes a title of a text.
func oneLine(s string) string { return cut(strings.Join(strings.Fields(s), " "), titleLength) }

// cut shortens a text to a number of characters; a cut one ends in an ellipsis.
func cut(s string, length int) string {
	if utf8.RuneCountInString(s) <= length {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:length-1])) + "…"
}
