package claudecode

import (
	"hash/fnv"
	"strings"

	"coppice/backend/importer/jsonl"
)

// call is a tool call, as far as later records need it.
type call struct {
	by    anchor // the message that contains it
	name  string
	file  string // the file it changes
	spawn *spawn // the subagent it runs
}

// spawn is what a tool call records of the subagent it runs.
type spawn struct {
	agentType   string
	description string
	prompt      uint64 // its hash
}

// takeCalls records the tool calls of a record.
func (s *skeleton) takeCalls(by anchor, r *record) {
	for i := range r.content.blocks {
		if b := &r.content.blocks[i]; b.kind == "tool_use" {
			s.takeCall(by, b)
		}
	}
}

func (s *skeleton) takeCall(by anchor, b *block) {
	c := &call{by: by, name: s.names.one(b.name)}
	switch b.name {
	case "Edit", "Write", "MultiEdit":
		c.file = s.names.one(jsonl.Text(b.input.Get("file_path")))
	case "NotebookEdit":
		c.file = s.names.one(jsonl.Text(b.input.Get("notebook_path")))
	case "Task", "Agent":
		c.spawn = &spawn{
			agentType: s.names.one(jsonl.Text(b.input.Get("subagent_type"))), description: strings.Clone(jsonl.Text(b.input.Get("description"))),
			prompt: hash(jsonl.Text(b.input.Get("prompt"))),
		}
		s.spawns = append(s.spawns, c)
	}
	s.threads[by.thread].facts.changes(c.file)
	if _, twice := s.calls[b.id]; b.id != "" && !twice {
		s.calls[strings.Clone(b.id)] = c
	}
}

// takeResults connects a record's tool results with their calls.
func (s *skeleton) takeResults(r *record) {
	for i := range r.content.blocks {
		b := &r.content.blocks[i]
		if b.kind != "tool_result" {
			continue
		}
		id := resultID(b.toolUseID, r)
		c, known := s.calls[id]
		if !known {
			continue
		}
		if c.file != "" && b.isError {
			s.threads[c.by.thread].facts.refused(c.file)
		}
		if c.spawn != nil {
			if agent := jsonl.Text(r.toolUseResult.Get("agentId")); agent != "" {
				s.spawned[strings.Clone(agent)] = strings.Clone(id)
			}
		}
	}
}

// resultID returns the id of the call that a tool result answers.
func resultID(toolUseID string, r *record) string {
	if toolUseID != "" {
		return toolUseID
	}
	return r.sourceToolID
}

// callOf finds the tool call that runs an agent: by the records' links, else by its prompt.
func (s *skeleton) callOf(agent, tool string, prompt uint64) *call {
	if c := s.calls[tool]; c != nil {
		return c
	}
	if c := s.calls[s.spawned[agent]]; c != nil {
		return c
	}
	if prompt == 0 {
		return nil
	}
	for _, c := range s.spawns {
		if c.spawn.prompt == prompt {
			return c
		}
	}
	return nil
}

// hash returns a hash of a text; 0 for an empty one.
func hash(s string) uint64 {
	if s == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(s)) // never fails
	return h.Sum64()
}
