package codex

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/jsontext"
)

// takeSpawn records the subagent that the result of a call names. That the call is one of spawn_agent is checked when all calls are
// known.
func (s *skeleton) takeSpawn(r *record, c class) {
	if c != result {
		return
	}
	output := r.payload.Get("output")
	if output.Type == gjson.String {
		words := strings.TrimSpace(jsonl.Text(output))
		if !strings.HasPrefix(words, "{") || !strings.Contains(words, `"agent_id"`) || jsontext.Check([]byte(words)) != "" {
			return
		}
		output = gjson.Parse(words)
	}
	s.spawn(jsonl.Text(output.Get("agent_id")), callID(r))
}

// takeSpawnEvent records the subagent that an event names with the call that started it.
func (s *skeleton) takeSpawnEvent(r *record) {
	p := r.payload
	switch r.sub {
	case "collab_agent_spawn_end":
		s.spawn(jsonl.Text(p.Get("new_thread_id")), jsonl.Text(p.Get("call_id")))
	case "sub_agent_activity":
		s.spawn(jsonl.Text(p.Get("agent_thread_id")), jsonl.Text(p.Get("event_id")))
	case "item_completed":
		if jsonl.Text(p.Get("item.type")) != "CollabAgentToolCall" {
			return
		}
		jsonl.Each(p.Get("item.receiver_thread_ids"), func(_ string, thread gjson.Result) bool {
			s.spawn(jsonl.Text(thread), jsonl.Text(p.Get("item.id")))
			return true
		})
	}
}

// spawn keeps the first call that names a subagent: later ones send it messages.
func (s *skeleton) spawn(thread, call string) {
	if thread == "" || call == "" {
		return
	}
	if s.spawned == nil {
		s.spawned = map[string]uint64{}
	}
	if _, known := s.spawned[thread]; !known {
		s.spawned[strings.Clone(thread)] = hash(call)
	}
}

// spawns returns the subagents that messages of the session started.
func (s *skeleton) spawns() []core.Spawn {
	if len(s.spawned) == 0 {
		return nil
	}
	messages := map[uint64]int32{} // by the key of a call of spawn_agent
	for n := int32(1); n < s.nodes.Len(); n++ {
		for i := s.nodes.At(n).first; i != 0; i = s.entries.At(i).next {
			if e := s.entries.At(i); e.class == call && strings.HasSuffix(s.names.text(e.tool), "spawn_agent") {
				messages[e.key] = n
			}
		}
	}
	var all []core.Spawn
	for _, thread := range slices.Sorted(maps.Keys(s.spawned)) {
		if n, known := messages[s.spawned[thread]]; known {
			all = append(all, core.Spawn{SourceID: thread, UID: s.uid(n)})
		}
	}
	return all
}
