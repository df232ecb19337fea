package fake

import (
	"fmt"
	"time"

	"coppice/backend/provider/fault"
)

// Reply is one answer of the script.
type Reply struct {
	Thinking string
	Text     string
	Calls    []Call // all in one line, as Ollama sends them
	Done     string // empty: stop
	Usage    Usage  // zero: 10 in, 5 out
	Fault    fault.Fault
}

// Call is a tool call.
type Call struct {
	ID        string // empty: none, as in old servers
	Name      string
	Arguments string // JSON
}

// Say is a reply of one text.
func Say(text string) Reply { return Reply{Text: text} }

// Fail is a reply that fails: an answer with an error status.
func Fail(status int) Reply { return Reply{Fault: fault.Fault{Kind: fault.Status, Status: status}} }

// pieceLength is how many characters of a text are sent at a time.
const pieceLength = 7

func pieces(text string) []string {
	var all []string
	for rest := []rune(text); len(rest) > 0; {
		n := min(pieceLength, len(rest))
		all = append(all, string(rest[:n]))
		rest = rest[n:]
	}
	return all
}

// Lines returns the lines of the reply as they are sent; n makes the ids of one answer differ from those of another.
func (r Reply) Lines(model string, n int) []string {
	begun := time.Date(2026, 11, 21, 9, 0, n, 0, time.UTC)
	line := func(message, rest string) string {
		begun = begun.Add(time.Millisecond)
		return fmt.Sprintf(`{"model":%s,"created_at":%s,"message":%s,%s}`+"\n", quoted(model), quoted(begun.Format(time.RFC3339Nano)), message, rest)
	}
	var lines []string
	for _, piece := range pieces(r.Thinking) {
		lines = append(lines, line(fmt.Sprintf(`{"role":"assistant","content":"","thinking":%s}`, quoted(piece)), `"done":false`))
	}
	for _, piece := range pieces(r.Text) {
		lines = append(lines, line(fmt.Sprintf(`{"role":"assistant","content":%s}`, quoted(piece)), `"done":false`))
	}
	if len(r.Calls) > 0 {
		lines = append(lines, line(r.calls(), `"done":false`))
	}
	done, u := r.Done, r.usage()
	if done == "" {
		done = "stop"
	}
	return append(lines, line(`{"role":"assistant","content":""}`, fmt.Sprintf(
		`"done":true,"done_reason":%s,"total_duration":5000,"load_duration":10,"prompt_eval_count":%d,"prompt_eval_duration":20,"eval_count":%d,"eval_duration":30`,
		quoted(done), u.Input, u.Output)))
}

func (r Reply) calls() string {
	all := ""
	for i, c := range r.Calls {
		if i > 0 {
			all += ","
		}
		id := ""
		if c.ID != "" {
			id = `"id":` + quoted(c.ID) + ","
		}
		all += fmt.Sprintf(`{%s"function":{"index":%d,"name":%s,"arguments":%s}}`, id, i, quoted(c.Name), c.Arguments)
	}
	return `{"role":"assistant","content":"","tool_calls":[` + all + `]}`
}

func (r Reply) usage() Usage {
	if r.Usage == (Usage{}) {
		return Usage{Input: 10, Output: 5}
	}
	return r.Usage
}
