package render

import (
	"strings"

	"coppice/backend/core"
	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
	"coppice/backend/toolcall"
)

// PreviewKind is what a closed card shows of its call.
type PreviewKind string

// The kinds of previews.
const (
	PreviewChanges PreviewKind = "changes" // what an edit changed
	PreviewOutput  PreviewKind = "output"  // the last lines that a command printed, or the first ones of an error
	PreviewTasks   PreviewKind = "tasks"   // a task list
	PreviewWeb     PreviewKind = "web"     // pages that were found, or the beginning of one
	PreviewPlan    PreviewKind = "plan"
	PreviewAgent   PreviewKind = "agent" // the beginning of a subagent's answer
)

// Preview is what a closed card shows of its call: a few lines, whatever the size of the whole.
type Preview struct {
	Kind     PreviewKind `json:"kind"`
	Diffs    []FileDiff  `json:"diffs,omitempty"`
	Text     string      `json:"text,omitempty"`     // of an output; plain
	Above    int64       `json:"above,omitempty"`    // lines of the output before Text
	Below    int64       `json:"below,omitempty"`    // lines of the output after Text
	ExitCode *int64      `json:"exitCode,omitempty"` // of a command, if it is recorded
	Tasks    []Task      `json:"tasks,omitempty"`
	Pages    []WebPage   `json:"pages,omitempty"`
	Omitted  int64       `json:"omitted,omitempty"` // tasks or pages left out
	HTML     string      `json:"html,omitempty"`    // safe
	Cut      bool        `json:"cut,omitempty"`     // HTML is only the beginning
	Steps    int64       `json:"steps,omitempty"`   // calls of a subagent, if they are recorded
	Tokens   int64       `json:"tokens,omitempty"`  // of a subagent
	// Status and CostNanoUSD are those of a job that an agent gave to another one; empty and nil if they are not recorded.
	Status      core.Status `json:"status,omitempty"`
	CostNanoUSD *int64      `json:"costNanoUsd,omitempty"`
}

// Task is an entry of a task list.
type Task struct {
	Text  string `json:"text"`
	State string `json:"state"` // open, doing, done or dropped
}

// WebPage is a page that a search found.
type WebPage struct {
	Title string `json:"title"`
	URL   string `json:"url"` // safe to follow
}

const (
	// previewBudget bounds the previews of one response to the window; when it is spent, cards show their line alone.
	previewBudget = 160 << 10

	previewDiffLines  = 32
	previewNewLines   = 12 // of a file that was created
	previewDiffBytes  = 12 << 10
	previewLines      = 5
	previewErrorLines = 8
	previewTextBytes  = 2 << 10
	previewTasks      = 6
	previewPages      = 5
	previewAnswer     = 600
	previewPlan       = 2 << 10
)

// preview returns what the card of a call shows; nil if its line is enough. files are what the call changed.
func (p *page) preview(c call, b *Block, result *core.Part, files []patch.File, id string) *Preview {
	if p.previewLeft <= 0 {
		return nil
	}
	v := p.r.preview(c, b.State, result, files, p.workspace, id)
	if v != nil {
		p.previewLeft -= v.size()
	}
	return v
}

func (r *Renderer) preview(c call, state ToolState, result *core.Part, files []patch.File, workspace, id string) *Preview {
	if c.isPlan() {
		return r.planPreview(c, id)
	}
	switch {
	case state == ToolFailed || state == ToolInterrupted:
		return r.outputPreview(c, result, previewErrorLines)
	case state == ToolDenied:
		return r.reasonPreview(result)
	case state != ToolDone || result == nil:
		return nil
	case len(files) > 0:
		return r.changesPreview(files, workspace)
	}
	switch c.Action {
	case toolcall.Run:
		return r.outputPreview(c, result, previewLines)
	case toolcall.Todo:
		return tasksPreview(c.todos())
	case toolcall.Fetch:
		return r.webPreview(result, id)
	case toolcall.Agent:
		return r.agentPreview(result, id)
	case toolcall.Other, toolcall.Read, toolcall.Write, toolcall.Edit, toolcall.Patch, toolcall.Delete, toolcall.Search, toolcall.List:
	}
	return nil
}

// size returns about how many bytes the preview adds to a response.
func (v *Preview) size() int {
	size := answerBytes(v.HTML) + answerBytes(v.Text)
	for _, file := range v.Diffs {
		for _, hunk := range file.Hunks {
			for _, line := range hunk.Lines {
				size += answerBytes(line.HTML) + answerBytes(line.Text) + 60
			}
		}
	}
	for _, task := range v.Tasks {
		size += len(task.Text) + 30
	}
	for _, page := range v.Pages {
		size += len(page.Title) + len(page.URL) + 30
	}
	return size
}

func (r *Renderer) changesPreview(files []patch.File, workspace string) *Preview {
	room := diffLimit{lines: previewDiffLines, bytes: previewDiffBytes}
	if len(files) == 1 && files[0].Created {
		room.lines = previewNewLines
	}
	return &Preview{Kind: PreviewChanges, Diffs: r.diffsWithin(files, workspace, room)}
}

// outputPreview returns the last lines of a command's output. Of any other call that failed it returns the first ones, which
// hold the reason.
func (r *Renderer) outputPreview(c call, result *core.Part, lines int) *Preview {
	v := &Preview{Kind: PreviewOutput}
	ending := endingOf(result)
	if c.Action == toolcall.Run {
		v.ExitCode = ending.exitCode
	}
	if c.Action == toolcall.Run && !ending.isHead {
		v.Text, v.Above = r.lastLines(ending.text, lines, ending.lines)
	} else {
		v.Text, v.Below = r.firstLines(ending.text, lines, ending.lines)
	}
	if v.Text == "" && v.ExitCode == nil {
		return nil
	}
	return v
}

// reasonPreview returns the words with which the user denied a call; nil without such words.
func (r *Renderer) reasonPreview(result *core.Part) *Preview {
	_, words, ok := strings.Cut(resultText(result, previewTextBytes), "the user said:\n")
	if !ok {
		return nil
	}
	v := &Preview{Kind: PreviewOutput}
	v.Text, v.Below = r.firstLines(words, previewErrorLines, plain.CountLines(words))
	return v
}

// lastLines returns the last lines of a text of which the whole has count lines, and how many come before them.
func (r *Renderer) lastLines(text string, most int, count int64) (shown string, above int64) {
	all := cleanLines(r.plain.Text(plain.Tail(text, previewTextBytes)))
	first := max(0, len(all)-most)
	return strings.Join(all[first:], "\n"), max(0, count-int64(len(all)-first))
}

func (r *Renderer) firstLines(text string, most int, count int64) (shown string, below int64) {
	head, _ := plain.Head(text, previewTextBytes)
	all := cleanLines(r.plain.Text(head))
	last := min(len(all), most)
	return strings.Join(all[:last], "\n"), max(0, count-int64(last))
}

// cleanLines returns the lines of a text without blank ones at its ends. Long lines are cut.
func cleanLines(text string) []string {
	text = strings.Trim(text, "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(clip(line, 2*lineLength), " \t\n")
	}
	return lines
}

func tasksPreview(list todos) *Preview {
	if len(list) == 0 {
		return nil
	}
	v := &Preview{Kind: PreviewTasks}
	shown := list.around(previewTasks)
	for _, entry := range shown {
		v.Tasks = append(v.Tasks, Task{Text: plain.Line(entry.text, lineLength), State: entry.state})
	}
	v.Omitted = int64(len(list) - len(shown))
	return v
}

// around returns at most some entries of a long list: those around the one that is being done.
func (t todos) around(most int) todos {
	if len(t) <= most {
		return t
	}
	from := 0
	for i, entry := range t {
		if entry.state == "doing" {
			from = i - most/2
			break
		}
	}
	from = max(0, min(from, len(t)-most))
	return t[from : from+most]
}

// isPlan reports whether the call presents a plan to the user.
func (c call) isPlan() bool {
	return toolcall.Key(c.Part.Name) == "exitplanmode" && c.First("plan") != ""
}

func (r *Renderer) planPreview(c call, id string) *Preview {
	return r.prosePreview(PreviewPlan, c.First("plan"), previewPlan, id)
}

func (r *Renderer) prosePreview(kind PreviewKind, text string, limit int, id string) *Preview {
	head, cut := plain.Head(text, limit)
	if strings.TrimSpace(head) == "" {
		return nil
	}
	return &Preview{Kind: kind, HTML: r.prose.HTML(head, prose.Options{ID: id, Heading: 5}), Cut: cut}
}
