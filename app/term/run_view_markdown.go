package term

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"coppice/app/internal/present"
	"coppice/app/term/markdown"
	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// How much of the work in progress is shown.
const (
	widestText   = 110 // columns: longer lines are hard to read
	thoughtLines = 4   // of the reasoning
	outputLines  = 4   // of a command while it runs
	endLines     = 3   // of a command after it has ended
	diffLines    = 16
	layoutEvery  = 40 * time.Millisecond
)

// markdownView is what a view shows of the work in progress.
type markdownView struct {
	color   bool
	text    *markdown.Renderer
	stream  *markdown.Stream
	thought string // the reasoning before the next text or call
	since   time.Time
	outputs []*commandOutput
	cleaner *plain.Cleaner
	asked   map[string]bool // ids of the calls that the user was asked about, and has seen
}

// commandOutput is the output of a command that runs.
type commandOutput struct {
	callID string
	plain.Running
}

func newMarkdownView(color bool) *markdownView {
	text := markdown.New(color)
	return &markdownView{color: color, text: text, stream: text.NewStream(), cleaner: plain.NewCleaner(), asked: map[string]bool{}}
}

// drop forgets the part of an answer that is void.
func (m *markdownView) drop() { m.stream, m.thought = m.text.NewStream(), "" }

func (m *markdownView) think(text string, now time.Time) {
	if m.thought == "" {
		m.since = now
	}
	m.thought += text
}

// unfinished returns the last lines of the work in progress, at most so many.
func (m *markdownView) unfinished(width, most int, call func(id string) string) []string {
	var lines []string
	if m.thought != "" {
		lines = lastLines(wrapped(m.thought, width), thoughtLines)
	}
	lines = append(lines, fitted(m.stream.Rest(width), width)...)
	for _, o := range m.outputs {
		lines = append(lines, call(o.callID))
		if ends := o.Lines(m.cleaner, outputLines); len(ends) > 0 {
			lines = append(lines, dimmed(cutLines(strings.Join(ends, "\n"), width))...)
		}
	}
	lines = lastLines(lines, max(most, 1))
	if !m.color {
		for i, line := range lines {
			lines[i] = sgrSequence.ReplaceAllString(line, "")
		}
	}
	return lines
}

// isWork reports whether only commands are in progress, no text.
func (m *markdownView) isWork() bool {
	return len(m.outputs) > 0 && m.thought == "" && m.stream.IsEmpty()
}

func lastLines(lines []string, most int) []string { return lines[max(len(lines)-most, 0):] }

// wrapped returns a text as dim lines that fit a width.
func wrapped(text string, width int) []string {
	return dimmed(markdown.Wrap(present.Safe(strings.TrimSpace(text)), width-2))
}

// dimmed returns lines after a bar.
func dimmed(lines []string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = "\x1b[2m│ " + line + "\x1b[0m"
	}
	return all
}

// cutLines returns the lines of an output, cut to a width.
func cutLines(text string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimRight(present.Safe(text), "\n"), "\n") {
		lines = append(lines, present.Cut(strings.ReplaceAll(line, "\t", "    "), width-2))
	}
	return lines
}

// fitted cuts the lines that are wider than the screen, which are those of code.
func fitted(lines []string, width int) []string {
	for i, line := range lines {
		if plainLine := sgrSequence.ReplaceAllString(line, ""); len(plainLine) > width {
			if short := present.Cut(plainLine, width); short != plainLine {
				lines[i] = short
			}
		}
	}
	return lines
}

// output shows what a command has written. It is called by the goroutine of the tool.
func (v *runView) output(callID, text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.layout == nil {
		return
	}
	i := slices.IndexFunc(v.layout.outputs, func(o *commandOutput) bool { return o.callID == callID })
	if i < 0 {
		i = len(v.layout.outputs)
		v.layout.outputs = append(v.layout.outputs, &commandOutput{callID: callID})
	}
	v.layout.outputs[i].Add(text)
	v.progress()
}

// sayFolded shows the change that a call has made, or the end of the output of a command.
func (v *runView) sayFolded(e *core.ToolExec) {
	if v.layout == nil {
		return
	}
	v.layout.outputs = slices.DeleteFunc(v.layout.outputs, func(o *commandOutput) bool { return o.callID == e.CallID })
	if e.Result == nil {
		return
	}
	var structured struct {
		Diff string `json:"diff"`
	}
	_ = json.Unmarshal(e.Result.Structured, &structured) // without a diff nothing is shown
	width, _ := v.screenSize()
	switch {
	case structured.Diff != "" && !v.layout.asked[e.CallID]:
		v.sayDiff(structured.Diff, width)
	case e.Name == "run_command":
		lines := strings.Split(strings.TrimSpace(v.layout.cleaner.Text(present.Text(e.Result.Result))), "\n")
		if last := len(lines) - 1; strings.HasPrefix(lines[last], "(") {
			lines = lines[:last] // the line before has it
		}
		shown := cutLines(strings.Join(lines, "\n"), width-1)
		for _, line := range dimmed(lastLines(shown, endLines)) {
			if line != "\x1b[2m│ \x1b[0m" || len(shown) > 1 {
				v.sayLine(line)
			}
		}
	}
}

// sayDiff shows a unified diff without its header.
func (v *runView) sayDiff(diff string, width int) {
	lines := cutLines(diff, width-1)
	if len(lines) > 2 && strings.HasPrefix(lines[0], "--- ") {
		lines = lines[2:]
	}
	if strings.HasPrefix(lines[0], "@@ -0,0 ") { // a new file has no position
		lines = lines[1:]
	}
	left := 0
	if len(lines) > diffLines {
		left = len(lines) - diffLines
		lines = lines[:diffLines]
	}
	for _, line := range lines {
		way := present.Dim
		switch {
		case strings.HasPrefix(line, "+"):
			way = present.Green
		case strings.HasPrefix(line, "-"):
			way = present.Red
		}
		v.sayLine(string(v.paint(present.Dim, "│ ")) + string(v.paint(way, line)))
	}
	if left > 0 {
		v.sayLine(string(v.paint(present.Dim, "│ … "+present.Count(int64(left), "more line"))))
	}
}

// sayLine writes a line that belongs to the one before.
func (v *runView) sayLine(line string) {
	if !v.Color {
		line = sgrSequence.ReplaceAllString(line, "")
	}
	v.clear()
	v.write(v.Err, line+"\n")
}

// foldThought replaces the reasoning by a line.
func (v *runView) foldThought() {
	if v.layout == nil || v.layout.thought == "" {
		return
	}
	words := len(strings.Fields(v.layout.thought))
	took := max(v.Now().Sub(v.layout.since).Round(time.Second), time.Second)
	v.layout.thought = ""
	v.note(fmt.Sprintf("thought for %s, %s", took, present.Count(int64(words), "word")))
}

// writeLines writes lines of the answer.
func (v *runView) writeLines(lines []string) {
	if len(lines) == 0 {
		return
	}
	v.clear()
	v.write(v.text, strings.Join(lines, "\n")+"\n")
}

// textWidth returns the columns of the answer.
func (v *runView) textWidth() int {
	width, _ := v.screenSize()
	return min(width-1, widestText)
}
