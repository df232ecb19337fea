package render

import (
	"fmt"
	"html"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/render/plain"
)

// todo is an entry of a task list.
type todo struct {
	text  string
	state string // open doing done dropped
}

type todos []todo

// todos reads the task lists of Claude Code and OpenCode (todos), Gemini CLI (todos with description), Codex (plan with step)
// and Coppice.
func (c call) todos() todos {
	var list todos
	for _, name := range []string{"todos", "plan", "items", "tasks"} {
		v := c.Args.Get(name)
		if !v.IsArray() {
			continue
		}
		v.ForEach(func(_, item gjson.Result) bool {
			list = append(list, readTodo(item))
			return len(list) < 500
		})
		break
	}
	return list
}

func readTodo(item gjson.Result) todo {
	if item.Type == gjson.String {
		return todo{text: item.Str, state: "open"}
	}
	entry := todo{state: "open"}
	for _, name := range []string{"content", "step", "description", "text", "title", "task"} {
		if text := item.Get(name).String(); text != "" {
			entry.text = text
			break
		}
	}
	switch item.Get("status").String() {
	case "completed", "done", "complete":
		entry.state = "done"
	case "in_progress", "doing", "active":
		entry.state = "doing"
	case "cancelled", "canceled", "deleted":
		entry.state = "dropped"
	}
	if item.Get("done").Bool() {
		entry.state = "done"
	}
	return entry
}

func (t todos) summary() string {
	done := 0
	for _, entry := range t {
		if entry.state == "done" {
			done++
		}
	}
	if len(t) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d done", done, len(t))
}

func (t todo) sign() string {
	switch t.state {
	case "done":
		return "☑"
	case "doing":
		return "◐"
	case "dropped":
		return "☒"
	}
	return "☐"
}

// field returns the list as a field of a form.
func (t todos) field(name string) Field {
	var text, markup strings.Builder
	markup.WriteString(`<ul class="checklist">`)
	for _, entry := range t {
		line := plain.Line(entry.text, 1000)
		fmt.Fprintf(&text, "%s %s\n", entry.sign(), line)
		fmt.Fprintf(&markup, `<li class="%s" dir="auto">%s %s</li>`, entry.state, entry.sign(), html.EscapeString(line))
	}
	markup.WriteString("</ul>")
	return Field{Name: name, Value: strings.TrimSuffix(text.String(), "\n"), HTML: markup.String(), Long: true, List: true}
}
