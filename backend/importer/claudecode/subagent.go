package claudecode

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// report is what a progress record contains about a subagent.
type report struct {
	kind    string // its "type"
	agentID string
	message gjson.Result
}

func readReport(data gjson.Result) report {
	var r report
	if !data.IsObject() {
		return r
	}
	jsonl.Each(data, func(key string, v gjson.Result) bool {
		switch key {
		case "type":
			r.kind = jsonl.Text(v)
		case "agentId":
			r.agentID = jsonl.Text(v)
		case "message":
			r.message = v
		}
		return true
	})
	return r
}

// embedded returns the record that a progress record of a subagent contains.
func embedded(progress *record) record {
	sent := readReport(progress.data)
	r := readRecord(sent.message)
	r.sidechain = true
	if r.agentID = sent.agentID; r.agentID == "" {
		r.agentID = progress.parentToolID
	}
	r.parentToolID = progress.parentToolID
	r.cwd = progress.cwd
	if r.timeMs == 0 {
		r.timeMs = progress.timeMs
	}
	return r
}

// agentProgress adds a message of a subagent from the session's file.
func (s *skeleton) agentProgress(progress *record, at entry) {
	r := embedded(progress)
	r.keep(s.names)
	kind := r.class()
	if !kind.isMessage() || r.agentID == "" {
		return
	}
	at.embedded = true
	n := s.agent(r.agentID)
	if s.threads[n].tool == "" {
		s.threads[n].tool = strings.Clone(r.parentToolID)
	}
	parent := s.threads[n].newest()
	if up, known := s.at[r.parent]; known && up.thread == n {
		parent = up.position
	}
	s.message(n, parent, kind, &r, at)
}

// subagents yields the subagents in the session's own file, except those that have a file of their own.
func (s *skeleton) subagents(ctx context.Context, session core.Session, yield func(core.Incoming) bool) bool {
	if len(s.threads) == 1 {
		return true
	}
	own := agentFiles(s.file.Path)
	for i, t := range s.threads {
		n := int32(i) //nolint:gosec // bounded by the lines of a file
		if n == 0 || t.newest() == 0 || own[t.agent] {
			continue
		}
		c := s.callOf(t.agent, t.tool, t.facts.prompt)
		in := s.incoming(ctx, n, s.subagent(n, session, c))
		in.ParentSourceID = session.SourceID
		if !yield(in) {
			return false
		}
	}
	return true
}

// subagent returns what the file records of the session of one of its subagents.
func (s *skeleton) subagent(n int32, parent core.Session, c *call) core.Session {
	t := s.threads[n]
	child := core.Session{
		Source: core.SourceClaudeCode, SourceID: parent.SourceID + "/" + t.agent, SourcePath: s.file.Path, Status: core.StatusIdle,
		Title: t.facts.title(), TitleOrigin: core.TitleDerived, Task: t.facts.task, Model: t.facts.model, WorkspacePath: t.facts.cwd, FilesModified: t.facts.changed(),
		CreatedAtMs: t.facts.createdAtMs, ParentID: parent.ID, ParentUID: s.threads[0].nodes[t.from].uid, Relation: core.RelationSubagent,
	}
	child.ID = sessionID(child.CreatedAtMs, child.SourceID)
	s.describe(&child, c)
	return child
}

// describe adds what is in the tool call that runs the subagent.
func (s *skeleton) describe(child *core.Session, c *call) {
	if c == nil {
		return
	}
	if c.by.thread == 0 {
		child.ParentUID = s.threads[0].nodes[c.by.position].uid
	}
	if c.spawn == nil {
		return
	}
	child.Agent = c.spawn.agentType
	if title := jsonl.Title(c.spawn.description); title != "" {
		child.Title, child.TitleOrigin = title, core.TitleTool
	}
}

// started returns the subagents whose calls the session holds.
func (s *skeleton) started(sourceID string) []core.Spawn {
	var all []core.Spawn
	for _, agent := range slices.Sorted(maps.Keys(s.spawned)) {
		c := s.calls[s.spawned[agent]]
		if c == nil || c.by.thread != 0 {
			continue
		}
		all = append(all, core.Spawn{
			SourceID: sourceID + "/" + agent, UID: s.threads[0].nodes[c.by.position].uid, Agent: c.spawn.agentType, Title: jsonl.Title(c.spawn.description),
		})
	}
	return all
}

// agentOf returns the id of the subagent whose file this is; empty for any other file.
func agentOf(path string) string {
	stem, isLines := strings.CutSuffix(filepath.Base(path), ".jsonl")
	id, isAgent := strings.CutPrefix(stem, "agent-")
	if !isLines || !isAgent {
		return ""
	}
	return id
}

// agentFiles lists the subagents that have a file of their own.
func agentFiles(sessionPath string) map[string]bool {
	own := map[string]bool{}
	folder := strings.TrimSuffix(sessionPath, filepath.Ext(sessionPath))
	filepath.WalkDir(filepath.Join(folder, subagentsFolder), func(path string, _ fs.DirEntry, err error) error { //nolint:errcheck // a missing folder yields none
		if err == nil && agentOf(path) != "" {
			own[agentOf(path)] = true
		}
		return nil
	})
	beside, _ := filepath.Glob(filepath.Join(filepath.Dir(sessionPath), "agent-*.jsonl")) // only a bad pattern fails
	for _, path := range beside {
		own[agentOf(path)] = true
	}
	return own
}

// subagentsFolder is the folder of the files of a session's subagents in newer versions.
const subagentsFolder = "subagents"

// parentPath returns the file of the session that a subagent's file belongs to. Older versions put both side by side.
func parentPath(path, sessionID string) string {
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == subagentsFolder {
			return filepath.Dir(dir) + ".jsonl"
		}
	}
	return filepath.Join(filepath.Dir(path), filepath.Base(sessionID)+".jsonl")
}

// inSubagents reports whether a file is in the folder for subagents of newer versions.
func inSubagents(path string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(path)), "/"), subagentsFolder)
}

// parent is what subagents need to know of the session they belong to.
type parent struct {
	path       string
	sizeBytes  int64
	modifiedNs int64
	skeleton   *skeleton // without its threads' contents
	session    core.Session
}

// parentOf reads the session that a subagent's file belongs to; nil if that has no file. The latest one is cached,
// because subagents come in groups.
func (f *format) parentOf(ctx context.Context, path string) *parent {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.last; p != nil && p.path == path && p.sizeBytes == info.Size() && p.modifiedNs == info.ModTime().UnixNano() {
		return p
	}
	file, err := core.OpenRegular(path)
	if err != nil {
		return nil
	}
	defer file.Close() //nolint:errcheck // it was only read
	s, err := scan(ctx, core.SourceFile{
		Path: path, SizeBytes: info.Size(), Data: file, Problem: func(int64, string) {}, Progress: func(int64) {},
	}, false)
	if err != nil || s.facts.createdAtMs == 0 && s.threads[0].newest() == 0 {
		return nil
	}
	s.entries, s.at, s.records = nil, nil, nil
	f.last = &parent{path: path, sizeBytes: info.Size(), modifiedNs: info.ModTime().UnixNano(), skeleton: s, session: s.session()}
	return f.last
}

// agentMeta is the file that newer versions write beside a subagent's own.
type agentMeta struct {
	AgentType   string `json:"agentType"`
	Description string `json:"description"`
	ToolUseID   string `json:"toolUseId"`
}

// readAgentMeta reads it; a missing or damaged file gives the zero value.
func readAgentMeta(path string) agentMeta {
	var m agentMeta
	file, err := core.OpenRegular(strings.TrimSuffix(path, ".jsonl") + ".meta.json")
	if err != nil {
		return m
	}
	defer file.Close() //nolint:errcheck // it was only read
	if json.NewDecoder(io.LimitReader(file, 1<<20)).Decode(&m) != nil {
		return agentMeta{}
	}
	return m
}

// child returns what the file of a subagent records of its session, and the session it belongs to.
func (f *format) child(ctx context.Context, s *skeleton, agent string) (child core.Session, parentSourceID string) {
	child = s.session()
	path := parentPath(s.file.Path, s.facts.sessionID)
	parentSourceID = strings.TrimSuffix(filepath.Base(path), ".jsonl")
	meta := readAgentMeta(s.file.Path)
	child.Relation = core.RelationSubagent
	if p := f.parentOf(ctx, path); p != nil {
		parentSourceID = p.session.SourceID
		child.ParentID = p.session.ID
		p.skeleton.describe(&child, p.skeleton.callOf(agent, meta.ToolUseID, s.threads[0].facts.prompt))
	}
	child.SourceID = parentSourceID + "/" + agent
	child.ID = sessionID(child.CreatedAtMs, child.SourceID)
	if meta.AgentType != "" {
		child.Agent = meta.AgentType
	}
	if title := jsonl.Title(meta.Description); title != "" {
		child.Title, child.TitleOrigin = title, core.TitleTool
	}
	if child.Title == "" {
		child.Title, child.TitleOrigin = child.Agent, core.TitleTool
	}
	return child, parentSourceID
}
