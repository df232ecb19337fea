package term

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rivo/uniseg"

	"coppice/app/internal/present"
	"coppice/app/term/markdown"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// runView shows a run at a terminal while it is in progress: the streamed answer, a line for each call, notices for the
// user, and a progress line that gives way to all other output.
type runView struct {
	Terminal
	displayOptions
	runSource
	began time.Time

	mu      sync.Mutex // the run and the ticker use the view concurrently
	run     core.Run
	calls   map[string]core.Part // the calls of the last answer, by id
	doing   string
	context string // how full the model's context window is
	live    liveRegion
	drawn   time.Time     // when it was drawn
	layout  *markdownView // lays out answers as Markdown; nil: they are written as they arrive
	held    bool          // no progress line: a question is open, or the run is over
	midLine bool          // the last character of the answer was not a line feed
	said    int           // the bytes of the current answer so far
	flowing bool          // an answer is being streamed, so no progress line is needed
	last    viewed
	raw     bool         // the terminal is in raw mode: a line feed does not return to the first column
	hushed  bool         // the user is typing, so output is held back
	kept    []shownPiece // the output to show when the user has finished typing
}

// runSource is what a view reads from the library.
type runSource struct {
	message func(sessionID, uid string) (core.Message, error)
	shortID func(sessionID string) string
}

// shownPiece is a text and the writer it is for.
type shownPiece struct {
	to   io.Writer
	text string
}

const waiting = "waiting for the model"

// viewed is the kind of the last output of a view. An empty line separates kinds.
type viewed int

const (
	shownNothing viewed = iota
	shownLines
	shownText
)

func newRunView(t Terminal, how displayOptions, of runSource) *runView {
	v := &runView{Terminal: t, displayOptions: how, runSource: of, began: t.Now(), calls: map[string]core.Part{}, doing: waiting}
	if how.text != nil && t.ErrIsTerminal && !t.Plain {
		v.layout = newMarkdownView(t.Color)
	}
	if how.brief && t.Prompter != nil { // the last line is the prompt that the user typed
		v.last = shownLines
	}
	return v
}

// tick updates the progress line until the context ends.
func (v *runView) tick(ctx context.Context) {
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			v.mu.Lock()
			v.progress()
			v.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// observe shows an event of the run.
func (v *runView) observe(e engine.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.run, v.context = e.Run, gauge(e.ContextTokens, e.WindowTokens)
	switch e.Type {
	case engine.EventStarted:
		if !v.brief {
			v.note(startWords(e.Run, v.shortID(e.Run.SessionID)))
		}
	case engine.EventDelta:
		v.delta(e.Delta)
	case engine.EventRetry:
		if v.layout != nil {
			v.layout.drop()
		}
		v.note(e.Err.Error() + "; " + e.Text)
		v.said = 0
	case engine.EventMessage:
		v.wrote(e.Message)
	case engine.EventToolBegins:
		v.doing = v.call(e.Exec)
	case engine.EventToolEnds:
		v.say(v.ended(e.Exec))
		v.sayFolded(e.Exec)
		v.doing = waiting
	case engine.EventNotice:
		v.note(e.Text)
	case engine.EventTurn:
		v.turn(e.Text)
	case engine.EventQuestion:
		if v.layout != nil {
			v.layout.asked[e.Question.Call.ID] = true
		}
		v.hold()
	case engine.EventAnswered:
		v.held, v.last = false, shownLines
	case engine.EventEnded:
		v.hold()
	case engine.EventTotals:
	}
	if e.Type == engine.EventDelta && v.Now().Sub(v.drawn) < layoutEvery {
		return // the ticker draws it
	}
	v.progress()
}

// startWords returns the line that describes a run at its start.
func startWords(run core.Run, id string) string {
	return strings.Join([]string{"session " + id, run.Agent, run.Model, string(run.Mode), run.WorkspacePath}, " · ")
}

// delta shows a piece of an answer.
func (v *runView) delta(d core.StreamEvent) {
	switch d.Type {
	case core.StreamText:
		v.stream(d.Text)
	case core.StreamReasoning:
		v.doing, v.flowing = "thinking", false
		if v.layout != nil {
			v.layout.think(d.Text, v.Now())
		}
	case core.StreamToolCall:
		v.endLine()
		v.flowing = false
		if d.Name != "" {
			v.doing = "calling " + present.OneLine(d.Name)
		}
	default:
	}
}

// stream writes a piece of an answer.
func (v *runView) stream(text string) {
	v.said += len(text)
	if v.text == nil || text == "" {
		return
	}
	v.foldThought()
	if v.said == len(text) { // the first piece of the answer
		text = strings.TrimLeft(text, "\n")
		v.clear()
		v.endLine()
		if v.last != shownNothing {
			v.write(v.text, "\n")
		}
	}
	v.last, v.flowing = shownText, true
	if v.layout != nil {
		v.doing = "writing"
		v.writeLines(v.layout.stream.Add(present.Safe(text), v.textWidth()))
		return
	}
	v.clear()
	v.put(present.Safe(text))
}

// write writes text, or holds it back while the user types. It ignores errors, because writing the result reports them.
func (v *runView) write(to io.Writer, text string) {
	if v.hushed {
		v.kept = append(v.kept, shownPiece{to, text})
		return
	}
	if v.raw {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	_, _ = io.WriteString(to, text)
}

// put writes to the stream of the answers.
func (v *runView) put(text string) {
	if text == "" {
		return
	}
	v.write(v.text, text)
	v.midLine = !strings.HasSuffix(text, "\n")
}

// wrote handles a message that was stored.
func (v *runView) wrote(m *core.Message) {
	if m.Role != core.RoleAssistant {
		return
	}
	if v.said == 0 {
		v.stream(present.Text(m.Parts))
	}
	v.endLine()
	v.foldThought()
	v.said, v.flowing = 0, false
	v.calls = map[string]core.Part{}
	for _, p := range m.Parts {
		if p.Type == core.PartToolCall {
			v.calls[p.ID] = p
		}
	}
	v.doing = waiting
}

// call returns a line that describes a call.
func (v *runView) call(e *core.ToolExec) string {
	part, ok := v.calls[e.CallID]
	if !ok { // the call is from a former run
		if m, err := v.message(v.run.SessionID, e.MessageUID); err == nil {
			i := slices.IndexFunc(m.Parts, func(p core.Part) bool { return p.Type == core.PartToolCall && p.ID == e.CallID })
			if i >= 0 {
				part = m.Parts[i]
			}
		}
	}
	return strings.TrimSpace(present.OneLine(e.Name) + " " + about(part))
}

// aboutColumns is the maximum width of the arguments of a call.
const aboutColumns = 60

// about returns the most descriptive argument of a call in one line.
func about(call core.Part) string {
	var given map[string]json.RawMessage
	if json.Unmarshal(call.Arguments, &given) != nil {
		return present.Cut(present.OneLine(call.Text), aboutColumns)
	}
	for _, name := range []string{"command", "pattern", "path", "query", "url", "name", "prompt"} {
		var text string
		if json.Unmarshal(given[name], &text) == nil && strings.TrimSpace(text) != "" {
			return present.Cut(present.OneLine(text), aboutColumns)
		}
	}
	if len(given) == 0 || given["patch"] != nil || given["items"] != nil { // the result of these calls is more descriptive
		return ""
	}
	return present.Cut(arguments(call), aboutColumns)
}

// ended returns the line that shows how a call ended.
func (v *runView) ended(e *core.ToolExec) string {
	mark := v.paint(present.Dim, "▸")
	if e.Result.IsError {
		mark = v.paint(present.Red, "✗")
	}
	call, words := v.call(e), resultWords(e)
	if v.layout != nil {
		width, _ := v.screenSize()
		call = present.Cut(call, max(width-5-min(uniseg.StringWidth(words), width/3), 1))
		words = present.Cut(words, max(width-5-uniseg.StringWidth(call), 1))
	}
	return fmt.Sprintf("%s %s  %s", mark, call, v.paint(present.Dim, words))
}

// resultColumns is the maximum width of a result.
const resultColumns = 100

// resultWords returns a summary of a result: its only line, its last line if that is a summary in parentheses, or the
// number of its lines.
func resultWords(e *core.ToolExec) string {
	text := strings.TrimSpace(present.Text(e.Result.Result))
	all := strings.Split(text, "\n")
	last := all[len(all)-1]
	switch {
	case text == "":
		return "no output"
	case len(all) > 1 && strings.HasPrefix(last, "(") && strings.HasSuffix(last, ")"):
		return present.Cut(present.OneLine(strings.Trim(last, "()")), resultColumns)
	case len(all) == 1 || e.Result.IsError:
		return present.Cut(present.OneLine(strings.Trim(all[0], "()")), resultColumns)
	}
	lines := int64(len(all))
	if t := e.Result.Result[0].Truncated; t != nil {
		lines = t.LineCount
	}
	return present.Count(lines, "line")
}

// note writes a notice for the user.
func (v *runView) note(text string) {
	for _, line := range v.noteLines(text) {
		v.say(line)
	}
}

// noteLines returns the lines of a notice.
func (v *runView) noteLines(text string) []string {
	lines := []string{present.OneLine(text)}
	if v.layout != nil {
		lines = itemLines(lines[0], v.textWidth()-2)
	}
	for i, line := range lines {
		mark := "  "
		if i == 0 {
			mark = "· "
		}
		lines[i] = string(v.paint(present.Dim, mark+line))
	}
	return lines
}

// itemSeparator is between the items of a line, which is broken there if it is too long.
const itemSeparator = " · "

// itemLines returns items as lines of at most width columns.
func itemLines(text string, width int) []string {
	var lines []string
	line := ""
	for _, item := range strings.Split(text, itemSeparator) {
		if line != "" && uniseg.StringWidth(line+itemSeparator+item) <= width {
			line += itemSeparator + item
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		whole := markdown.Wrap(item, width)
		last := len(whole) - 1
		lines, line = append(lines, whole[:last]...), whole[last]
	}
	return append(lines, line)
}

// turn writes which agent of a team begins its turn.
func (v *runView) turn(text string) {
	if v.layout == nil {
		v.note(text)
		return
	}
	if v.last == shownLines {
		v.clear()
		v.write(v.Err, "\n")
	}
	v.say(string(v.paint(present.Dim, "· ")) + string(v.paint(present.Bold, present.OneLine(text))))
}

// say writes a line outside the answer.
func (v *runView) say(line string) {
	v.clear()
	v.endLine()
	if v.last == shownText && v.text != nil && v.ErrIsTerminal {
		v.write(v.Err, "\n")
	}
	v.last = shownLines
	v.write(v.Err, line+"\n")
}

// endLine ends the current line of the answer, if there is one, or what is laid out of it.
func (v *runView) endLine() {
	if v.layout != nil {
		v.writeLines(v.layout.stream.End(v.textWidth()))
	}
	if v.midLine {
		v.put("\n")
	}
}

// hold removes the progress line until a question is answered, or for good at the end of the run.
func (v *runView) hold() {
	v.clear()
	v.endLine()
	v.held = true
}

// progress updates what is shown of the work in progress, if it can be shown.
func (v *runView) progress() {
	if !v.ErrIsTerminal || v.Plain || v.held || v.hushed || v.layout == nil && (v.flowing || v.midLine) {
		return
	}
	width, height := v.screenSize()
	line := present.Cut(progressWords(v.run, v.Now().Sub(v.began), v.context, v.doing), min(width-1, progressColumns))
	lines := []string{string(v.paint(present.Dim, line))}
	if v.layout != nil {
		if unfinished := v.unfinished(height - 3); len(unfinished) > 0 {
			lines = append(append(unfinished, ""), lines...)
		}
	}
	v.live.draw(v.Err, lines, width, v.raw)
	v.drawn = v.Now()
}

// unfinished returns the last lines of the work in progress, at most so many, after an empty line unless they continue the text above.
func (v *runView) unfinished(most int) []string {
	lines := v.layout.unfinished(v.textWidth(), most-1, v.callWords)
	if len(lines) > 0 && (v.layout.isWork() && v.last == shownText || v.layout.thought != "" && v.last == shownLines) {
		return append([]string{""}, lines...)
	}
	return lines
}

// callWords describes a call of the last answer.
func (v *runView) callWords(callID string) string {
	part := v.calls[callID]
	width, _ := v.screenSize()
	return string(v.paint(present.Dim, "▸ ")) + present.Cut(strings.TrimSpace(present.OneLine(part.Name)+" "+about(part)), max(width-4, 1))
}

func (v *runView) clear() {
	width, _ := v.screenSize()
	v.live.clear(v.Err, width)
}

// pause removes the progress line before a question that is not an event of the run; resume shows it again.
func (v *runView) pause() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hold()
}

func (v *runView) resume() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.held, v.last = false, shownLines
}

// setRaw sets whether the terminal is in raw mode; see Prompter.raw.
func (v *runView) setRaw(raw bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.raw = raw
}

// hush holds output back while the user types a line; speak writes what was held back.
func (v *runView) hush() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
	if v.layout == nil {
		v.endLine()
	}
	v.hushed = true
}

func (v *runView) speak() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hushed = false
	for _, one := range v.kept {
		v.write(one.to, one.text)
	}
	v.kept = nil
}

// remark writes a notice about what the user has just typed.
func (v *runView) remark(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.layout == nil || v.last != shownText {
		v.note(text)
		return
	}
	for _, line := range v.noteLines(text) { // the answer continues below
		v.sayLine(line)
	}
}

// end writes the last line.
func (v *runView) end(words string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hold()
	v.note(words)
}
