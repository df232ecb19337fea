package codex

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// meta is what a rollout records of itself in its first record.
type meta struct {
	thread       string // the id that the session has in Codex
	rollout      string // the id of the file, which differs if a thread has several
	forkedFrom   string
	parentThread string // of a subagent
	agent        string
	provider     string
	folder       string
	createdAtMs  int64
	base         base
	ownFrom      int64 // the ordinal of the first record of a subagent's own
	copied       bool  // it begins with a copy of another session
	fields       jsonl.Fields
	forks        map[string]string // thread → the one it was forked from, as far as the file records it
}

// base is the part of another rollout that one continues.
type base struct {
	rollout    string
	endOrdinal int64 // exclusive; 0: unknown
	endByte    int64 // exclusive; 0: unknown
}

// reached reports whether an offset is after the range.
func (b base) reached(offset int64) bool { return b.endByte > 0 && offset >= b.endByte }

// behind reports whether a record is. Ordinals may repeat, but do not come too early.
func (b base) behind(r *record) bool {
	return b.endOrdinal > 0 && b.endByte == 0 && r.ordinal >= b.endOrdinal
}

// metaLines is how far into a file its own session_meta is looked for.
const metaLines = 10

// readMeta reads what the file records of itself.
func (s *skeleton) readMeta(own *opened) error {
	m, err := metaOf(own)
	if err != nil {
		return err
	}
	m.rollout = rolloutID(s.file.Path)
	if m.thread == "" {
		m.thread = m.rollout
	}
	if m.thread == "" {
		m.thread = stem(s.file.Path)
	}
	s.meta = m
	s.facts.folder = m.folder
	return nil
}

// metaOf reads the first session_meta of a rollout; without one it returns the zero value.
func metaOf(from *opened) (meta, error) {
	for l, err := range jsonl.Lines(io.NewSectionReader(from, 0, from.size)) {
		if err != nil {
			return meta{}, err
		}
		if l.Number > metaLines {
			break
		}
		for _, o := range jsonl.Parse(l.Text) {
			if r := readRecord(o); r.kind == "session_meta" {
				return parseMeta(&r), nil
			}
		}
	}
	return meta{forks: map[string]string{}}, nil
}

func parseMeta(r *record) meta {
	p := r.payload
	get := func(path string) string { return strings.Clone(jsonl.Text(p.Get(path))) }
	m := meta{
		thread: get("id"), forkedFrom: get("forked_from_id"), folder: get("cwd"), createdAtMs: jsonl.Millis(p.Get("timestamp")),
		agent: get("agent_role"), provider: get("model_provider"), ownFrom: p.Get("subagent_history_start_ordinal").Int(), forks: map[string]string{},
		base: base{
			rollout: get("history_base.thread_id"), endOrdinal: p.Get("history_base.end_ordinal_exclusive").Int(),
			endByte: p.Get("history_base.end_byte_offset").Int(),
		},
	}
	if m.thread == "" {
		m.thread = get("session_id")
	}
	if m.createdAtMs == 0 {
		m.createdAtMs = r.timeMs
	}
	if m.agent == "" {
		m.agent = get("agent_nickname")
	}
	m.copied = m.forkedFrom != ""
	if source := p.Get("source.subagent"); source.Exists() || jsonl.Text(p.Get("thread_source")) == "subagent" {
		m.parentThread = get("source.subagent.thread_spawn.parent_thread_id")
		if m.parentThread == "" {
			m.parentThread = get("parent_thread_id")
		}
	}
	for key, path := range map[string]string{
		"version": "cli_version", "originator": "originator", "historyMode": "history_mode", "forkedFrom": "forked_from_id",
		"modelProvider": "model_provider", "agentNickname": "agent_nickname",
	} {
		if value := get(path); value != "" {
			m.fields.Set(key, jsonl.Quote(value))
		}
	}
	for _, key := range []string{"git", "source"} {
		if v := p.Get(key); !jsonl.Empty(v) {
			m.fields.Set(key, jsonl.Raw(v))
		}
	}
	return m
}

// takeMeta handles a session_meta that is not the file's own: it was copied with the rest.
func (m *meta) takeMeta(p gjson.Result) {
	thread, from := jsonl.Text(p.Get("id")), jsonl.Text(p.Get("forked_from_id"))
	if thread != "" && from != "" {
		m.forks[strings.Clone(thread)] = strings.Clone(from)
	}
}

// root returns the thread that began the conversation, as far as the file records it. Forks share the uids of their
// common messages by it; a subagent shares none.
func (m *meta) root() string {
	if m.parentThread != "" || m.forkedFrom == "" {
		return m.thread
	}
	at := m.forkedFrom
	for range len(m.forks) + 1 {
		from, forked := m.forks[at]
		if !forked {
			break
		}
		at = from
	}
	return at
}

// rolloutID is the id in a file's name, rollout-<time>-<thread>[_<rollout>].jsonl; empty for any other name.
func rolloutID(path string) string {
	name := stem(path)
	if !strings.HasPrefix(name, "rollout-") {
		return ""
	}
	if _, id, several := strings.Cut(name, "_"); several {
		return id
	}
	const idLength = 36
	if len(name) < idLength {
		return ""
	}
	return name[len(name)-idLength:]
}

// stem is a file's name without its endings.
func stem(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".zst")
	return strings.TrimSuffix(name, filepath.Ext(name))
}
