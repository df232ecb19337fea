package claudecode

import (
	"hash/fnv"

	"github.com/tidwall/gjson"
)

// call is a tool call, as far as later records need it.
type call struct {
	by    anchor // the message it stands in
	name  string
	file  string // the file it changes
	spawn *spawn // the subagent it runs
}

// spawn is what a tool call says of the subagent it runs.
type spawn struct {
	agentType   string
	description string
	prompt      uint64 // its hash
}

// editing names the argument that holds the file, of the tools that change one.
var editing = map[string]string{
	"Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path",
}

// takeCalls remembers the tool calls of a record.
func (s *skeleton) takeCalls(by anchor, r *record) {
	if !r.content.IsArray() {
		return
	}
	r.content.ForEach(func(_, block gjson.Result) bool {
		if kind := text(block.Get("type")); kind == "tool_use" {
			s.takeCall(by, block)
		}
		return true
	})
}

func (s *skeleton) takeCall(by anchor, block gjson.Result) {
	id := text(block.Get("id"))
	c := &call{by: by, name: text(block.Get("name"))}
	input := block.Get("input")
	if argument, edits := editing[c.name]; edits {
		c.file = text(input.Get(argument))
		s.threads[by.thread].said.changes(c.file)
	}
	if c.name == "Task" || c.name == "Agent" {
		c.spawn = &spawn{
			agentType: text(input.Get("subagent_type")), description: text(input.Get("description")), prompt: hash(text(input.Get("prompt"))),
		}
	}
	if _, twice := s.calls[id]; id != "" && !twice {
		s.calls[id] = c
	}
}

// takeResults connects a record's tool results with their calls.
func (s *skeleton) takeResults(r *record) {
	r.content.ForEach(func(_, block gjson.Result) bool {
		if text(block.Get("type")) != "tool_result" {
			return true
		}
		id := resultID(block, r)
		c, known := s.calls[id]
		if !known {
			return true
		}
		if c.file != "" && block.Get("is_error").Bool() {
			s.threads[c.by.thread].said.refused(c.file)
		}
		if agent := text(r.toolUseResult.Get("agentId")); agent != "" {
			s.spawned[agent] = id
		}
		return true
	})
}

// resultID is the id of the call a tool result answers.
func resultID(block gjson.Result, r *record) string {
	if id := text(block.Get("tool_use_id")); id != "" {
		return id
	}
	return r.sourceToolID
}

// callOf finds the tool call that runs an agent: as the records say, else by its prompt.
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
	var found *call
	for _, c := range s.calls {
		if c.spawn != nil && c.spawn.prompt == prompt && (found == nil || c.by.place < found.by.place) {
			found = c
		}
	}
	return found
}

// hash returns a number that stands for a text; 0 for none.
func hash(s string) uint64 {
	if s == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(s)) //nolint:errcheck,gosec // never fails
	return h.Sum64()
}
