package render

import (
	"slices"

	"coppice/backend/core"
	"coppice/backend/lists"
	"coppice/backend/patch"
	"coppice/backend/render/plain"
	"coppice/backend/toolcall"
)

// WorkItem is a file, a command or another target of a phase.
type WorkItem struct {
	Text    string `json:"text"`
	Calls   int64  `json:"calls"`
	Failed  int64  `json:"failed"`
	Added   int64  `json:"added"` // lines
	Removed int64  `json:"removed"`
}

// Work is a summary of what happened in a range of messages, mostly a turn.
type Work struct {
	WorkedMs    int64    `json:"workedMs"` // a pause of more than core.WorkGapMs counts as nothing; a call whose duration is recorded always counts with it
	Steps       int64    `json:"steps"`    // model calls
	Calls       int64    `json:"calls"`
	Files       int64    `json:"files"` // changed
	Added       int64    `json:"added"` // lines
	Removed     int64    `json:"removed"`
	Failed      int64    `json:"failed"` // calls, and messages that ended with an error
	Denied      int64    `json:"denied"`
	Interrupted int64    `json:"interrupted"`
	FailedMs    int64    `json:"failedMs"` // the part of WorkedMs in failed calls
	Compactions int64    `json:"compactions"`
	Commits     []Commit `json:"commits"` // with git, at most maxCommits; never nil
	Phases      []Phase  `json:"phases"`  // without empty ones; never nil
	Partial     bool     `json:"partial"` // only the first messages were counted: all numbers are lower bounds
}

// Commit is a commit that a call made.
type Commit struct {
	Hash    string `json:"hash"` // abbreviated, as git prints it; empty: unknown
	Subject string `json:"subject"`
}

// maxItems is how many items of a phase are returned.
const maxItems = 8

// tally counts the work of messages that are added in order.
type tally struct {
	r         *Renderer
	workspace string
	work      Work
	phases    map[PhaseKind]*phaseTally
	files     map[string]bool
	open      map[string][]openCall // by id
	endMs     int64                 // of the previous message; 0: unknown
}

type openCall struct {
	call
	kind PhaseKind
}

func (r *Renderer) newTally(workspace string) *tally {
	return &tally{r: r, workspace: workspace, phases: map[PhaseKind]*phaseTally{}, files: map[string]bool{}, open: map[string][]openCall{}}
}

// Count returns the work of consecutive messages of a path.
func (r *Renderer) Count(messages []core.Message, workspace string) Work {
	t := r.newTally(workspace)
	for i := range messages {
		t.add(&messages[i])
	}
	return t.result()
}

func (t *tally) add(m *core.Message) {
	if m.IsCall() && m.Kind == core.KindMessage {
		t.work.Steps++
	}
	if m.Kind == core.KindCompaction {
		t.work.Compactions++
	}
	if m.Error != "" {
		t.work.Failed++
	}
	gap := t.gap(m)
	calls := t.calls(m)
	switch {
	case m.Role == core.RoleAssistant && m.Kind == core.KindMessage:
		kind := PhaseAnswered
		if len(calls) > 0 {
			kind = calls[0]
		}
		t.spend(kind, gap)
	case m.Role == core.RoleTool, m.Role == core.RoleUser && hasResult(m):
		t.spendOnResults(m, gap)
	}
	t.results(m)
	t.endMs = m.EndMs()
}

// gap returns the working time between the previous message and the end of this one.
func (t *tally) gap(m *core.Message) int64 {
	if t.endMs == 0 || m.CreatedAtMs == 0 {
		return 0
	}
	gap := m.EndMs() - t.endMs
	if gap < 0 || gap > core.WorkGapMs {
		return 0
	}
	return gap
}

func hasResult(m *core.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Type == core.PartToolResult })
}

// spendOnResults adds the time of calls. The time that the user took to answer a question is not work.
func (t *tally) spendOnResults(m *core.Message, gap int64) {
	var longest int64
	failed := false
	var kind PhaseKind
	for i := range m.Parts {
		part := &m.Parts[i]
		if part.Type != core.PartToolResult {
			continue
		}
		if waiting := t.open[part.ID]; len(waiting) > 0 && kind == "" {
			kind = waiting[0].kind
		}
		longest, failed = max(longest, part.DurationMs), failed || stateOf(part, part) == ToolFailed
	}
	if kind == PhaseAsked || kind == "" {
		return
	}
	spent := max(gap, longest)
	t.spend(kind, spent)
	if failed {
		t.work.FailedMs += spent
	}
}

func (t *tally) spend(kind PhaseKind, ms int64) {
	if ms <= 0 {
		return
	}
	t.work.WorkedMs += ms
	t.phase(kind).WorkedMs += ms
}

func (t *tally) phase(kind PhaseKind) *phaseTally {
	p := t.phases[kind]
	if p == nil {
		p = &phaseTally{Phase: Phase{Kind: kind}, items: map[string]*WorkItem{}}
		t.phases[kind] = p
	}
	return p
}

// calls counts the calls of a message and returns their kinds.
func (t *tally) calls(m *core.Message) []PhaseKind {
	var kinds []PhaseKind
	for i := range m.Parts {
		part := &m.Parts[i]
		if part.Type != core.PartToolCall {
			continue
		}
		c := t.r.call(part)
		kind := c.phase()
		kinds = append(kinds, kind)
		t.work.Calls++
		p := t.phase(kind)
		p.Calls++
		if c.Action == toolcall.Search {
			p.Searches++
		}
		t.open[part.ID] = append(t.open[part.ID], openCall{c, kind})
	}
	return kinds
}

// results counts how the calls that a message has results of ended.
func (t *tally) results(m *core.Message) {
	for i := range m.Parts {
		part := &m.Parts[i]
		waiting := t.open[part.ID]
		if part.Type != core.PartToolResult || len(waiting) == 0 {
			continue
		}
		t.open[part.ID] = waiting[1:]
		t.end(waiting[0], part)
	}
}

// end counts a call with its result, which is nil if it is missing.
func (t *tally) end(c openCall, result *core.Part) {
	p := t.phase(c.kind)
	state := stateOf(c.Part, result)
	failed := int64(0)
	switch state {
	case ToolFailed:
		failed = 1
	case ToolDenied:
		t.work.Denied++
	case ToolInterrupted:
		t.work.Interrupted++
	case ToolDone, ToolMissing:
	}
	t.work.Failed += failed
	p.Failed += failed
	var files []patch.File
	if state == ToolDone && result != nil {
		files = c.Changes(result.Structured)
		t.commit(c, result)
	}
	for _, f := range files {
		name := plain.Line(relative(f.Path, t.workspace), targetLength)
		added, removed := f.Counts()
		t.work.Added, t.work.Removed = t.work.Added+added, t.work.Removed+removed
		t.files[name] = true
		p.item(name, 0).change(added, removed)
	}
	if len(files) == 0 && c.Action != toolcall.Search {
		p.item(t.r.plain.Text(c.workText(t.workspace)), failed)
	}
}

// workText returns what the call is about, as short as an item.
func (c call) workText(workspace string) string {
	text := c.summary(workspace)
	if c.Action == toolcall.Read || c.Action == toolcall.List {
		text = plain.Line(relative(c.FirstTarget(), workspace), targetLength)
	}
	if text == "" {
		text = plain.Line(c.Part.Name, lineLength)
	}
	return text
}

func (i *WorkItem) change(added, removed int64) {
	i.Added, i.Removed = i.Added+added, i.Removed+removed
}

// result ends the count. A call without a result counts as one, and neither failed nor was interrupted.
func (t *tally) result() Work {
	ids := make([]string, 0, len(t.open))
	for id, waiting := range t.open {
		if len(waiting) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		for _, c := range t.open[id] {
			t.end(c, nil)
		}
	}
	w := t.work
	w.Files, w.Phases = int64(len(t.files)), []Phase{}
	w.Commits = lists.NonNil(w.Commits)
	for _, kind := range phaseKinds() {
		p := t.phases[kind]
		if p == nil {
			continue
		}
		p.sort()
		w.Phases = append(w.Phases, p.Phase)
	}
	return w
}
