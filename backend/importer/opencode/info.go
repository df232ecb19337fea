package opencode

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/foreigndb"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
	"coppice/backend/lazyregexp"
)

// info is the record of a session.
type info struct {
	id        string
	parent    string // the session that runs it as a subagent
	fork      string // the session it is a copy of, up to some message
	directory string
	title     string
	agent     string
	createdMs int64
	revert    string // everything from this message on was undone
	within    bool   // only part of that message was
	meta      jsonl.Fields
}

// ofObject reads the record from a session file.
func ofObject(v gjson.Result) info {
	i := info{
		id: jsonl.Text(v.Get("id")), parent: jsonl.Text(v.Get("parentID")), directory: jsonl.Text(v.Get("directory")), title: jsonl.Text(v.Get("title")),
		agent: jsonl.Text(v.Get("agent")), createdMs: jsonl.Millis(v.Get("time.created")),
	}
	i.reverted(v.Get("revert"))
	transcript.AddRest(&i.meta, v, "id", "parentID", "directory", "title", "agent", "time", "summary", "revert", "permission")
	return i
}

// ofRow reads the record from a row of session or session_v2.
func ofRow(r foreigndb.Row) info {
	i := info{
		id: r.Text("id"), parent: r.Text("parent_id"), fork: r.Text("fork_session_id"), directory: r.Text("directory"), title: r.Text("title"),
		agent: r.Text("agent"), createdMs: r.Int("time_created"),
	}
	if revert, ok := object([]byte(r.Text("revert"))); ok {
		i.reverted(revert)
	}
	for _, name := range r.Names() {
		switch name {
		case "project_id", "workspace_id", "fork_session_id", "fork_boundary", "slug", "path", "version", "share_url", "metadata":
			if text := r.Text(name); text != "" {
				i.meta.Set(name, jsonl.Quote(strings.ToValidUTF8(text, "\uFFFD")))
			}
		}
	}
	return i
}

func (i *info) reverted(v gjson.Result) {
	i.revert = jsonl.Text(v.Get("messageID"))
	i.within = jsonl.Text(v.Get("partID")) != ""
	if !jsonl.Empty(v) {
		i.meta.Set("revert", rest(v, "snapshot", "diff"))
	}
}

// unnamed matches the titles that OpenCode gives until it has a better one.
var unnamed = lazyregexp.New(`^(New|Child) session - \d`)

// forked knows the titles of copies.
var forked = lazyregexp.New(`^(.*) \(fork #\d+\)$`)

// session returns the session for its record and the facts of its messages.
func (i *info) session(path string, f *facts) core.Session {
	s := core.Session{
		ID: core.DerivedID(i.createdMs, string(core.SourceOpenCode), i.id), Source: core.SourceOpenCode, SourceID: i.id, SourcePath: path,
		Status: core.StatusIdle, Title: jsonl.Title(i.title), Task: f.task, Agent: i.agent, Model: f.model, WorkspacePath: i.directory,
		FilesModified: f.changed(), CreatedAtMs: i.createdMs, Meta: i.meta.JSON(),
	}
	if s.Title == "" || unnamed.MatchString(i.title) {
		s.Title, s.TitleOrigin = jsonl.Headline(f.task), core.TitleDerived
	}
	if s.Agent == "" {
		s.Agent = f.agent
	}
	if i.parent != "" {
		s.Relation = core.RelationSubagent
	}
	return s
}

// rest returns an object less some members; nil where nothing is left.
func rest(v gjson.Result, without ...string) json.RawMessage { return transcript.Rest(v, without...) }
