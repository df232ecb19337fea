package geminicli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/jsontext"
)

// facts are what the records contain about the session.
type facts struct {
	sessionID   string
	projectHash string
	kind        string
	summary     string
	directory   string // the first one
	createdAtMs int64
	task        string
	model       string
	files       map[string]bool
	meta        jsonl.Fields
}

// head takes in the head of a session.
func (f *facts) head(o gjson.Result) {
	f.set(o)
	for _, key := range []string{"startTime", "start_time"} {
		if f.createdAtMs == 0 {
			f.createdAtMs = jsonl.Millis(o.Get(key))
		}
	}
	if f.model == "" {
		f.model = strings.Clone(jsonl.Text(o.Get("meta.model")))
	}
}

// set applies new values to the session; the newest counts, but a session keeps its first id.
func (f *facts) set(o gjson.Result) {
	say := func(to *string, key string) {
		if v := jsonl.Text(o.Get(key)); v != "" {
			*to = strings.Clone(v)
		}
	}
	if f.sessionID == "" {
		say(&f.sessionID, "sessionId")
	}
	say(&f.projectHash, "projectHash")
	say(&f.kind, "kind")
	say(&f.summary, "summary")
	say(&f.directory, "directories.0")
	jsonl.Each(o, func(key string, v gjson.Result) bool {
		switch key {
		case "sessionId", "startTime", "start_time", "lastUpdated", "summary", "messages", "history":
		default:
			if !jsonl.Empty(v) {
				f.meta.Set(strings.Clone(key), json.RawMessage(strings.Clone(v.Raw)))
			}
		}
		return true
	})
}

// take takes in a message.
func (f *facts) take(o gjson.Result, timeMs int64) {
	if f.createdAtMs == 0 {
		f.createdAtMs = timeMs
	}
	switch classOf(o) {
	case prompt:
		if f.task == "" {
			f.task = strings.Clone(jsonl.Task(words(content(o))))
		}
	case reply:
		if model := jsonl.Text(o.Get("model")); model != "" {
			f.model = strings.Clone(model)
		}
		jsonl.Each(o.Get("toolCalls"), f.takeCall)
	default: // nothing about the session
	}
}

// takeCall records the file that a tool has changed.
func (f *facts) takeCall(_ string, c gjson.Result) bool {
	switch jsonl.Text(c.Get("name")) {
	case "write_file", "replace", "edit":
		if file := jsonl.Text(c.Get("args.file_path")); file != "" && jsonl.Text(c.Get("status")) == "success" {
			if f.files == nil {
				f.files = map[string]bool{}
			}
			f.files[strings.Clone(file)] = true
		}
	}
	return true
}

// takeSpawns records the subagents that the calls of a message started.
func (s *skeleton) takeSpawns(n int32, o gjson.Result) {
	jsonl.Each(o.Get("toolCalls"), func(_ string, c gjson.Result) bool {
		if agent := jsonl.Text(c.Get("agentId")); agent != "" {
			if s.spawned == nil {
				s.spawned = map[string]int32{}
			}
			s.spawned[strings.Clone(agent)] = n
		}
		return true
	})
}

// spawns returns the subagents that messages of the session started.
func (s *skeleton) spawns() []core.Spawn {
	var all []core.Spawn
	for _, agent := range slices.Sorted(maps.Keys(s.spawned)) {
		all = append(all, core.Spawn{SourceID: agent, UID: s.uid(s.spawned[agent])})
	}
	return all
}

// session returns what the file records of its session, and the session that it is a subagent of.
func (s *skeleton) session() (session core.Session, parentSourceID string) {
	f := &s.facts
	id := f.sessionID
	if id == "" {
		// A checkpoint that the user named: the same name may be given in every project.
		id = filepath.Base(filepath.Dir(s.file.Path)) + "/" + strings.TrimSuffix(filepath.Base(s.file.Path), filepath.Ext(s.file.Path))
	}
	session = core.Session{
		Source: core.SourceGeminiCLI, SourceID: id, SourcePath: s.file.Path, Status: core.StatusIdle, Title: jsonl.Title(f.summary), Task: f.task,
		Model: f.model, WorkspacePath: s.workspace(), FilesModified: append([]string{}, slices.Sorted(maps.Keys(f.files))...),
		CreatedAtMs: f.createdAtMs, Meta: f.meta.JSON(),
	}
	if session.Title == "" {
		session.Title, session.TitleOrigin = jsonl.Headline(f.task), core.TitleDerived
	}
	if f.kind == "subagent" {
		parentSourceID = filepath.Base(filepath.Dir(s.file.Path))
		session.Relation = core.RelationSubagent
	}
	session.ID = core.DerivedID(session.CreatedAtMs, string(core.SourceGeminiCLI), id)
	return session, parentSourceID
}

// workspace returns the folder the agent worked in. It is not in the file: the folder above names it, or the list of
// projects does, by the name of that folder or by its hash.
func (s *skeleton) workspace() string {
	for dir := filepath.Dir(s.file.Path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) != "chats" {
			continue
		}
		project := filepath.Dir(dir)
		if root := strings.TrimSpace(readSmall(filepath.Join(project, ".project_root"))); root != "" {
			return root
		}
		projects := gjson.Parse(readSmall(filepath.Join(filepath.Dir(filepath.Dir(project)), "projects.json")))
		if listed := projects.Get("projects"); listed.IsObject() {
			projects = listed
		}
		found := ""
		projects.ForEach(func(path, slug gjson.Result) bool {
			sum := sha256.Sum256([]byte(path.String()))
			if slug.String() == filepath.Base(project) || hex.EncodeToString(sum[:]) == s.facts.projectHash {
				found = path.String()
			}
			return found == ""
		})
		if found != "" {
			return found
		}
		break
	}
	return s.facts.directory
}

// readSmall reads a file that Gemini CLI stores beside its sessions; empty if it is missing.
func readSmall(path string) string {
	file, err := core.OpenRegular(path)
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read
	b, err := io.ReadAll(io.LimitReader(file, 4<<20))
	if err != nil || jsontext.Check(b) != "" && filepath.Ext(path) == ".json" {
		return ""
	}
	return string(b)
}
