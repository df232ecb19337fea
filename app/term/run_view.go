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

	"coppice/app/internal/present"

	"coppice/backend/core"
	"coppice/backend/engine"
)

// runView shows a run at a terminal as it goes on: the answer where it can be read as it comes, a line for each call, what
// the person should know, and a line of progress that gives way to all of it.
type runView struct {
	Terminal
	displayOptions
	runSource
	began time.Time

	mu      sync.Mutex // between the run and the clock
	run     core.Run
	calls   map[string]core.Part // by id, of the answer that is worked on
	doing   string
	line    string // of progress, that is shown
	held    bool   // no progress: somebody is asked, or the run is over
	midLine bool   // the answer's last character did not end a line
	said    int    // bytes of the answer that goes on
	flowing bool   // it is being streamed: that is progress enough
	last    viewed
	raw     bool         // a line feed alone does not go back to the left
	hushed  bool         // the person types
	kept    []shownPiece // what is shown when they are done
}

// runSource is what a view asks the library.
type runSource struct {
	message func(sessionID, uid string) (core.Message, error)
	shortID func(sessionID string) string
}

// shownPiece is a text and where it goes.
type shownPiece struct {
	to   io.Writer
	text string
}

const waiting = "waiting for the model"

// viewed is what a view showed last, so that there is room between things of two kinds.
type viewed int

const (
	shownNothing viewed = iota
	shownLines
	shownText
)

func newRunView(t Terminal, how displayOptions, of runSource) *runView {
	v := &runView{Terminal: t, displayOptions: how, runSource: of, began: t.Now(), calls: map[string]core.Part{}, doing: waiting}
	if how.brief && t.Prompter != nil { // there is what the person typed
		v.last = shownLines
	}
	return v
}

// tick shows the progress until the context ends.
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

// observe takes what happens in the run.
func (v *runView) observe(e engine.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.run = e.Run
	switch e.Type {
	case engine.EventStarted:
		if !v.brief {
			v.note(startWords(e.Run, v.shortID(e.Run.SessionID)))
		}
	case engine.EventDelta:
		v.delta(e.Delta)
	case engine.EventRetry:
		v.note(e.Err.Error() + "; " + e.Text)
		v.said = 0
	case engine.EventMessage:
		v.wrote(e.Message)
	case engine.EventToolBegins:
		v.doing = v.call(e.Exec)
	case engine.EventToolEnds:
		v.say(v.ended(e.Exec))
		v.doing = waiting
	case engine.EventNotice:
		v.note(e.Text)
	case engine.EventQuestion:
		v.hold()
	case engine.EventAnswered:
		v.held, v.last = false, shownLines
	case engine.EventEnded:
		v.hold()
	case engine.EventTotals:
	}
	v.progress()
}

// startWords say which session runs, and how.
func startWords(run core.Run, id string) string {
	return strings.Join([]string{"session " + id, run.Agent, run.Model, string(run.Mode), run.WorkspacePath}, " · ")
}

// delta takes a piece of an answer.
func (v *runView) delta(d core.StreamEvent) {
	switch d.Type {
	case core.StreamText:
		v.stream(d.Text)
	case core.StreamReasoning:
		v.doing, v.flowing = "thinking", false
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
	if v.said == len(text) { // its first piece
		text = strings.TrimLeft(text, "\n")
		v.clear()
		v.endLine()
		if v.last != shownNothing {
			v.write(v.text, "\n")
		}
	}
	v.last, v.flowing = shownText, true
	v.clear()
	v.put(present.Safe(text))
}

// write writes, later where the person types. What fails is found when the result is written.
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

// put writes to where the answers go.
func (v *runView) put(text string) {
	if text == "" {
		return
	}
	v.write(v.text, text)
	v.midLine = !strings.HasSuffix(text, "\n")
}

// wrote takes a message that is written.
func (v *runView) wrote(m *core.Message) {
	if m.Role != core.RoleAssistant {
		return
	}
	if v.said == 0 {
		v.stream(present.Text(m.Parts))
	}
	v.endLine()
	v.said, v.flowing = 0, false
	v.calls = map[string]core.Part{}
	for _, p := range m.Parts {
		if p.Type == core.PartToolCall {
			v.calls[p.ID] = p
		}
	}
	v.doing = waiting
}

// call tells what a call is about.
func (v *runView) call(e *core.ToolExec) string {
	part, ok := v.calls[e.CallID]
	if !ok { // one that a former run left
		if m, err := v.message(v.run.SessionID, e.MessageUID); err == nil {
			i := slices.IndexFunc(m.Parts, func(p core.Part) bool { return p.Type == core.PartToolCall && p.ID == e.CallID })
			if i >= 0 {
				part = m.Parts[i]
			}
		}
	}
	return strings.TrimSpace(present.OneLine(e.Name) + " " + about(part))
}

// aboutColumns is how much of a call's arguments is shown.
const aboutColumns = 60

// about is the argument of a call that tells most of it, on a line.
func about(call core.Part) string {
	var given map[string]json.RawMessage
	if json.Unmarshal(call.Arguments, &given) != nil {
		return present.Cut(present.OneLine(call.Text), aboutColumns)
	}
	for _, name := range []string{"command", "pattern", "path", "query", "url", "name"} {
		var text string
		if json.Unmarshal(given[name], &text) == nil && strings.TrimSpace(text) != "" {
			return present.Cut(present.OneLine(text), aboutColumns)
		}
	}
	if len(given) == 0 || given["patch"] != nil || given["items"] != nil { // of these the result says more
		return ""
	}
	return present.Cut(arguments(call), aboutColumns)
}

// ended is the line that says how a call ended.
func (v *runView) ended(e *core.ToolExec) string {
	mark := v.paint(present.Dim, "▸")
	if e.Result.IsError {
		mark = v.paint(present.Red, "✗")
	}
	return fmt.Sprintf("%s %s  %s", mark, v.call(e), v.paint(present.Dim, resultWords(e)))
}

// resultColumns is how much of a result is shown.
const resultColumns = 100

// resultWords tell of a result: its only line, the last one where that sums it up, else how long it is.
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

// note says something that the person should know.
func (v *runView) note(text string) { v.say(string(v.paint(present.Dim, "· "+present.OneLine(text)))) }

// say writes a line beside the answer.
func (v *runView) say(line string) {
	v.clear()
	v.endLine()
	if v.last == shownText && v.text != nil && v.ErrIsTerminal {
		v.write(v.Err, "\n")
	}
	v.last = shownLines
	v.write(v.Err, line+"\n")
}

// endLine makes sure that what comes next begins a line.
func (v *runView) endLine() {
	if v.midLine {
		v.put("\n")
	}
}

// hold takes the progress away until somebody has answered.
func (v *runView) hold() {
	v.clear()
	v.endLine()
	v.held = true
}

// progress shows the line of progress where there is room for it.
func (v *runView) progress() {
	if !v.ErrIsTerminal || v.held || v.hushed || v.flowing || v.midLine {
		return
	}
	line := present.Cut(progressWords(v.run, v.Now().Sub(v.began), v.doing), progressColumns)
	if line == v.line {
		return
	}
	v.line = line
	_, _ = io.WriteString(v.Err, "\r\x1b[K"+string(v.paint(present.Dim, line))) // only decoration
}

func (v *runView) clear() {
	if v.line != "" {
		v.line = ""
		_, _ = io.WriteString(v.Err, "\r\x1b[K") // only decoration
	}
}

// pause and goOn stand around a question that is asked beside the run.
func (v *runView) pause() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hold()
}

func (v *runView) goOn() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.held, v.last = false, shownLines
}

// setRaw says how the terminal is set, see person.raw.
func (v *runView) setRaw(raw bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.raw = raw
}

// hush and speak stand around a line that the person types.
func (v *runView) hush() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
	v.endLine()
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

// remark says something to the person who has just typed.
func (v *runView) remark(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.note(text)
}

// end says the last line.
func (v *runView) end(words string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hold()
	v.note(words)
}
