package claudecode

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// threadFacts are what the messages of one thread record of their session.
type threadFacts struct {
	createdAtMs int64
	cwd         string
	model       string         // the last model that answered
	task        string         // the first prompt
	command     string         // the first command, for a session without a prompt
	prompt      uint64         // the hash of the first prompt
	files       map[string]int // file → edits that were not refused
}

func (s *threadFacts) take(kind class, r *record) {
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
		s.task = strings.Clone(jsonl.Task(words))
	case kind == command && s.command == "":
		s.command = strings.Clone(commandLine(promptText(r)))
	}
}

func (s *threadFacts) changes(file string) {
	if file == "" {
		return
	}
	if s.files == nil {
		s.files = map[string]int{}
	}
	s.files[file]++
}

func (s *threadFacts) refused(file string) { s.files[file]-- }

// changed lists the files that were changed, sorted.
func (s *threadFacts) changed() []string {
	list := make([]string, 0, len(s.files))
	for f, edits := range s.files {
		if edits > 0 {
			list = append(list, f)
		}
	}
	slices.Sort(list)
	return list
}

// title returns a title for a thread that was not named.
func (s *threadFacts) title() string {
	if s.task != "" {
		return jsonl.Headline(s.task)
	}
	return jsonl.Headline(s.command)
}

// facts are what the records beside the messages record of the session.
type facts struct {
	sessionID   string // the first one
	createdAtMs int64
	cwd         string // the first one
	customTitle string
	aiTitle     string
	summaries   []summary
	values      map[string]string // version, branch, …: the newest
	meta        jsonl.Fields
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
		f.set("version", r.version)
		f.set("gitBranch", r.gitBranch)
		f.set("slug", r.slug)
		f.set("entrypoint", r.entrypoint)
		f.set("forkedFrom", r.forkedFrom)
	case "custom-title":
		f.customTitle = jsonl.Title(jsonl.Text(r.all.Get("customTitle")))
	case "ai-title":
		f.aiTitle = jsonl.Title(jsonl.Text(r.all.Get("aiTitle")))
	case "summary":
		f.summaries = append(f.summaries, summary{strings.Clone(jsonl.Text(r.all.Get("leafUuid"))), jsonl.Title(jsonl.Text(r.all.Get("summary")))})
	case "pr-link":
		if url := jsonl.Text(r.all.Get("prUrl")); url != "" && !slices.Contains(f.prLinks, url) {
			f.prLinks = append(f.prLinks, strings.Clone(url))
		}
	case "agent-name":
		f.set("agentName", jsonl.Text(r.all.Get("agentName")))
	case "agent-setting":
		f.set("agentSetting", jsonl.Text(r.all.Get("agentSetting")))
	case "relocated":
		f.set("relocatedCwd", jsonl.Text(r.all.Get("relocatedCwd")))
	case "worktree-state":
		f.meta.Set("worktreeSession", jsonl.Raw(r.all.Get("worktreeSession")))
	case "cost-state":
		f.meta.Set("costState", jsonl.Raw(r.all))
	}
}

// set stores the newest value of a repeated field.
func (f *facts) set(key, value string) {
	if value != "" && f.values[key] != value {
		if f.values == nil {
			f.values = map[string]string{}
		}
		f.values[key] = strings.Clone(value)
	}
}

// json returns the facts of the session as a JSON object; nil if it has no facts.
func (f *facts) json() json.RawMessage {
	all := f.meta
	for k, v := range f.values {
		all.Set(k, jsonl.Quote(v))
	}
	if len(f.prLinks) > 0 {
		links, _ := json.Marshal(f.prLinks) // strings always encode
		all.Set("prLinks", links)
	}
	return all.JSON()
}

// promptText returns the text of a prompt, without what Claude Code put before it.
func promptText(r *record) string {
	content := r.content.Result
	if r.kind == "attachment" {
		content = r.attachment.Get("prompt")
	}
	if content.Type == gjson.String {
		return ownWords(jsonl.Text(content))
	}
	var words []string
	jsonl.Each(content, func(_ string, block gjson.Result) bool {
		if t := ownWords(jsonl.Text(block.Get("text"))); t != "" {
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
