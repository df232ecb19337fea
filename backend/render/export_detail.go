package render

import (
	"context"
	"iter"
	"strings"

	"coppice/backend/core"
	"coppice/backend/render/plain"
)

// Detail is how much of each message an export has.
type Detail string

// The details.
const (
	DetailFull    Detail = "full"    // everything; long outputs, arguments and changes are abridged
	DetailCompact Detail = "compact" // calls of tools, reasoning and texts that tools added are a line each
	DetailPrompts Detail = "prompts" // prompts and the last answer to each; a line counts what is left out
)

// ParseDetail returns the detail of that name.
func ParseDetail(name string) (Detail, error) {
	switch detail := Detail(name); detail {
	case DetailFull, DetailCompact, DetailPrompts:
		return detail, nil
	case "":
		return DetailFull, nil
	}
	return "", core.E(core.Invalid, "unknown detail %q", name).WithHint("one of: %s, %s, %s", DetailFull, DetailCompact, DetailPrompts)
}

// detailNote describes what the detail leaves out.
func (t *transcript) detailNote(full string) string {
	switch t.options.Detail {
	case DetailCompact:
		return "Compact: calls of tools, reasoning and texts that tools added are one line each."
	case DetailPrompts:
		return "Prompts and answers only: of each turn the prompt and the last answer. Each place states what is left out."
	case DetailFull:
	}
	return full
}

// line returns what replaces a part in an export with less detail. ok is false if the part is shown whole; the line
// is empty if the part is counted elsewhere.
func (t *transcript) line(e *entry, i int) (line string, ok bool) {
	part := &e.message.Parts[i]
	isContext := part.Injected || e.message.Kind == core.KindMeta || e.message.Kind == core.KindCommand
	leftOut := func(what, text string) (string, bool) {
		if t.options.Detail == DetailPrompts {
			return "", true
		}
		return what + ", " + counted(plain.CountLines(text), "line", "lines") + " left out", true
	}
	switch {
	case t.options.Detail == DetailFull:
		return "", false
	case part.Type == core.PartReasoning:
		return leftOut("Reasoning", part.Text)
	case part.Type == core.PartText && isContext:
		return leftOut("Context", part.Text)
	case part.Type == core.PartText, part.Type == core.PartSummary, part.Type == core.PartMedia:
		return "", false
	case part.Type == core.PartToolCall, part.Type == core.PartToolResult:
		return "", t.options.Detail == DetailPrompts // otherwise a line that the format writes
	default:
		return leftOut("A part of an unknown type", part.Text)
	}
}

// shown yields the messages of a strand that the detail includes.
func (t *transcript) shown(ctx context.Context, s strand) iter.Seq2[entry, error] {
	if t.options.Detail != DetailPrompts {
		return t.entries(ctx, s)
	}
	return func(yield func(entry, error) bool) {
		f := promptFilter{yield: yield}
		for e, err := range t.entries(ctx, s) {
			if err != nil {
				yield(e, err)
				return
			}
			if !f.add(e) {
				return
			}
		}
		f.flush()
	}
}

// promptFilter yields prompts and the last answer to each. A message with siblings stays, too: branches begin there.
type promptFilter struct {
	yield   func(entry, error) bool
	pending []entry // the answer that may be the last one, and what followed it, without its parts
	steps   int64   // messages of models that were left out since the last entry
	calls   int64   // calls of tools, also those of entries that are shown
}

// add takes the next message; it returns false if the export ends.
func (f *promptFilter) add(e entry) bool {
	m := &e.message
	if e.turnStart || m.IsPrompt() || m.Siblings > 1 || m.Error != "" {
		return f.flush() && f.emit(e)
	}
	if m.IsCall() && strings.TrimSpace(m.Text()) != "" {
		f.leaveOut()
		f.pending = []entry{e}
		return true
	}
	if len(f.pending) == 0 {
		f.count(m)
		return true
	}
	e.message.Parts, e.absorbed = m.ToolCalls(), true
	f.pending = append(f.pending, e)
	return true
}

// leaveOut counts what was pending as left out.
func (f *promptFilter) leaveOut() {
	for i := range f.pending {
		f.count(&f.pending[i].message)
	}
	f.pending = nil
}

func (f *promptFilter) count(m *core.Message) {
	if m.IsCall() {
		f.steps++
	}
	f.calls += int64(len(m.ToolCalls()))
}

// flush yields the pending answer, and a line for what followed it.
func (f *promptFilter) flush() bool {
	if len(f.pending) == 0 {
		return true
	}
	answer, after := f.pending[0], f.pending[1:]
	f.pending = nil
	if !f.emit(answer) {
		return false
	}
	for i := range after {
		f.count(&after[i].message)
	}
	if f.steps+f.calls == 0 {
		return true
	}
	return f.emit(after[len(after)-1])
}

// emit yields an entry with a line for what was left out before it.
func (f *promptFilter) emit(e entry) bool {
	if !e.absorbed {
		f.calls += int64(len(e.message.ToolCalls()))
	}
	e.leftOut = leftOutLine(f.steps, f.calls)
	f.steps, f.calls = 0, 0
	return f.yield(e, nil)
}

func leftOutLine(steps, calls int64) string {
	var parts []string
	if steps > 0 {
		parts = append(parts, counted(steps, "step", "steps"))
	}
	if calls > 0 {
		parts = append(parts, counted(calls, "call of a tool", "calls of tools"))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " left out"
}
