package codex

import (
	"bufio"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// session returns what the file records of its session.
func (f *format) session(s *skeleton) core.Session {
	id := s.sourceID()
	files := s.facts.patched
	if files == nil {
		files = s.facts.asked
	}
	title, origin := f.title(s)
	session := core.Session{
		ID: core.DerivedID(s.meta.createdAtMs, string(core.SourceCodex), id), Source: core.SourceCodex, SourceID: id, SourcePath: s.file.Path,
		Status: core.StatusIdle, Title: title, TitleOrigin: origin, Task: s.facts.task, Model: s.facts.model, Agent: s.meta.agent, WorkspacePath: s.facts.folder,
		FilesModified: append([]string{}, slices.Sorted(maps.Keys(files))...), CreatedAtMs: s.meta.createdAtMs,
	}
	if s.meta.parentThread != "" {
		session.Relation = core.RelationSubagent
	}
	all := maps.Clone(s.meta.fields)
	for key, value := range s.facts.meta {
		all.Set(key, value)
	}
	session.Meta = all.JSON()
	return session
}

// sourceID returns the id of a session in Codex, or if its thread has several files, that of the thread and the file.
func (s *skeleton) sourceID() string {
	if s.meta.rollout == "" || s.meta.rollout == s.meta.thread || s.meta.base.rollout == "" {
		return s.meta.thread
	}
	return s.meta.thread + "/" + s.meta.rollout
}

// title returns the name that the session was given, else the first prompt.
func (f *format) title(s *skeleton) (string, core.TitleOrigin) {
	if s.facts.name != "" {
		return s.facts.name, core.TitleTool
	}
	if home := homeOf(s.file.Path); home != "" {
		if name := f.indexed(filepath.Join(home, "session_index.jsonl"), s.meta.thread); name != "" {
			return name, core.TitleTool
		}
	}
	return jsonl.Headline(request(s.facts.task)), core.TitleDerived
}

// nameIndex is the content of Codex's list of names when it was last read.
type nameIndex struct {
	path       string
	sizeBytes  int64
	modifiedNs int64
	names      map[string]string // by thread
}

// indexed looks up a thread in the list of names; empty if it is not listed. The newest line counts.
func (f *format) indexed(path, thread string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	have := &f.index
	if have.path != path || have.sizeBytes != info.Size() || have.modifiedNs != info.ModTime().UnixNano() {
		*have = nameIndex{path: path, sizeBytes: info.Size(), modifiedNs: info.ModTime().UnixNano(), names: readNames(path)}
	}
	return have.names[thread]
}

func readNames(path string) map[string]string {
	found := map[string]string{}
	file, err := core.OpenRegular(path)
	if err != nil {
		return found
	}
	defer file.Close() //nolint:errcheck // it was only read
	for l, err := range jsonl.Lines(bufio.NewReader(io.LimitReader(file, 64<<20))) {
		if err != nil {
			return found
		}
		for _, o := range jsonl.Parse(l.Text) {
			id, name := jsonl.Text(o.Get("id")), jsonl.Text(o.Get("thread_name"))
			if id != "" && name != "" {
				found[strings.Clone(id)] = jsonl.Title(name)
			}
		}
	}
	return found
}
