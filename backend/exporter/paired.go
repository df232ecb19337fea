package exporter

import (
	"iter"
	"slices"
	"strconv"

	"coppice/backend/core"
)

// NotExecuted is the result of a call that has none.
const NotExecuted = "[not executed]"

// lookAhead is the number of messages among which a late result is looked for. Results of parallel calls come a few messages late.
const lookAhead = 64

// Paired returns a path as model APIs accept it: the results of a call follow the message with the call, a call without a result
// gets one that is an error, and a result without a call becomes a text. Ids of calls are unique. Messages without parts are left
// out. It holds a few messages at a time, and the ids of the calls.
func Paired(messages iter.Seq2[core.Message, error]) iter.Seq2[core.Message, error] {
	return func(yield func(core.Message, error) bool) {
		next, stop := iter.Pull2(messages)
		defer stop()
		p := pairing{next: next, seen: map[string]bool{}}
		for {
			m, ok := p.take()
			if !ok {
				break
			}
			orphans(&m)
			calls := p.name(&m)
			if len(m.Parts) > 0 && !yield(m, nil) {
				return
			}
			for _, results := range p.results(&m, calls) {
				if !yield(results, nil) {
					return
				}
			}
		}
		if p.err != nil {
			yield(core.Message{}, p.err)
		}
	}
}

// pairing is a stream of messages with those that were read ahead.
type pairing struct {
	next  func() (core.Message, error, bool)
	ahead []core.Message
	ended bool
	err   error
	seen  map[string]bool // ids of calls
}

// peek returns the nth message from here.
func (p *pairing) peek(n int) (*core.Message, bool) {
	for len(p.ahead) <= n && !p.ended {
		m, err, ok := p.next()
		if err != nil || !ok {
			p.err, p.ended = err, true
			break
		}
		p.ahead = append(p.ahead, m)
	}
	if n >= len(p.ahead) {
		return nil, false
	}
	return &p.ahead[n], true
}

func (p *pairing) take() (core.Message, bool) {
	m, ok := p.peek(0)
	if !ok {
		return core.Message{}, false
	}
	taken := *m
	p.ahead = p.ahead[1:]
	return taken, true
}

// call is a call that waits for its result.
type call struct {
	id, name, newID string
}

// name gives the calls of a message unique ids, and returns those that need a result.
func (p *pairing) name(m *core.Message) []call {
	var calls []call
	for i := range m.Parts {
		part := &m.Parts[i]
		if part.Type != core.PartToolCall {
			continue
		}
		if part.Server { // its result is beside it, if there is one
			p.seen[part.ID] = true
			continue
		}
		c := call{id: part.ID, name: part.Name, newID: part.ID}
		for n := 2; c.newID == "" || p.seen[c.newID]; n++ {
			c.newID = m.UID[:min(8, len(m.UID))] + "_" + part.ID + "_" + strconv.Itoa(n)
		}
		p.seen[c.newID] = true
		calls = append(calls, c)
	}
	if len(calls) > 0 {
		m.Parts = rename(m.Parts, calls)
	}
	return calls
}

// rename returns the parts with the new ids of the calls.
func rename(parts []core.Part, calls []call) []core.Part {
	renamed, n := append([]core.Part{}, parts...), 0
	for i := range renamed {
		if renamed[i].Type == core.PartToolCall && !renamed[i].Server {
			renamed[i].ID = calls[n].newID
			n++
		}
	}
	return renamed
}

// results takes the messages with the results of calls from the stream.
func (p *pairing) results(m *core.Message, calls []call) []core.Message {
	var found []core.Message
	for n := 0; len(calls) > 0 && n < lookAhead; n++ {
		later, ok := p.peek(n)
		if !ok {
			break
		}
		if repeatsID(later, calls) {
			break // its results are those of the nearest call above them
		}
		if later.Role != core.RoleTool {
			continue
		}
		var results core.Message
		if results, calls = take(later, calls); len(results.Parts) > 0 {
			found = append(found, results)
		}
		if len(later.Parts) == 0 {
			p.ahead = append(p.ahead[:n:n], p.ahead[n+1:]...)
			n--
		}
	}
	if len(calls) > 0 {
		found = append(found, notExecuted(m, calls))
	}
	return found
}

// take moves the results of calls, and what is beside them, from a message to a copy of it. It returns the calls that are left.
func take(from *core.Message, calls []call) (core.Message, []call) {
	results := *from
	results.Parts = nil
	var left []core.Part
	for _, part := range from.Parts {
		if part.Type == core.PartToolResult {
			n := indexOf(calls, part.ID)
			if n < 0 {
				left = append(left, part)
				continue
			}
			part.ID, part.Name = calls[n].newID, calls[n].name
			calls = append(calls[:n:n], calls[n+1:]...)
		}
		results.Parts = append(results.Parts, part)
	}
	if len(left) == 0 || hasResult(results.Parts) {
		from.Parts = left
		return results, calls
	}
	results.Parts = nil // nothing of it belongs to these calls
	return results, calls
}

// repeatsID reports whether a message has a call with the id of another one.
func repeatsID(m *core.Message, calls []call) bool {
	return slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Type == core.PartToolCall && indexOf(calls, p.ID) >= 0 })
}

func hasResult(parts []core.Part) bool {
	return slices.ContainsFunc(parts, func(p core.Part) bool { return p.Type == core.PartToolResult })
}

func indexOf(calls []call, id string) int {
	return slices.IndexFunc(calls, func(c call) bool { return c.id == id })
}

func notExecuted(m *core.Message, calls []call) core.Message {
	results := core.Message{
		UID: core.DerivedID(m.CreatedAtMs, m.UID, "not executed"), Role: core.RoleTool, Kind: core.KindMessage, CreatedAtMs: m.EndMs(),
	}
	for _, c := range calls {
		results.Parts = append(results.Parts, core.Part{
			Type: core.PartToolResult, ID: c.newID, Name: c.name, IsError: true, Result: []core.Part{{Type: core.PartText, Text: NotExecuted}},
		})
	}
	return results
}

// orphans turns the results of a message that no call waits for into texts of an answer.
func orphans(m *core.Message) {
	if m.Role != core.RoleTool {
		return
	}
	m.Role, m.Kind = core.RoleAssistant, core.KindMessage
	parts := m.Parts
	m.Parts = nil
	for i := range parts {
		if parts[i].Type != core.PartToolResult {
			m.Parts = append(m.Parts, parts[i])
			continue
		}
		m.Parts = append(m.Parts, core.Part{Type: core.PartText, Text: outcome(&parts[i])})
	}
}
