package render

import (
	"path"
	"slices"
	"strings"

	"coppice/backend/toolcall"
)

// PhaseKind is what a group of calls of a turn did.
type PhaseKind string

// The phases, in the order in which they are shown.
const (
	PhaseExplored  PhaseKind = "explored"  // read files, searched, listed, fetched pages
	PhaseEdited    PhaseKind = "edited"    // changed files
	PhaseRan       PhaseKind = "ran"       // ran commands
	PhaseDelegated PhaseKind = "delegated" // started subagents
	PhaseAsked     PhaseKind = "asked"     // asked the user
	PhaseUsed      PhaseKind = "used"      // called any other tool
	PhaseAnswered  PhaseKind = "answered"  // wrote text without a call
)

func phaseKinds() []PhaseKind {
	return []PhaseKind{PhaseExplored, PhaseEdited, PhaseRan, PhaseDelegated, PhaseAsked, PhaseUsed, PhaseAnswered}
}

// Phase is what a turn did of one kind.
type Phase struct {
	Kind     PhaseKind  `json:"kind"`
	WorkedMs int64      `json:"workedMs"`
	Calls    int64      `json:"calls"`
	Searches int64      `json:"searches"` // of the calls; they are not among Items
	Failed   int64      `json:"failed"`
	Items    []WorkItem `json:"items"`   // the most important first; never nil
	Omitted  int64      `json:"omitted"` // items left out because there are too many
}

type phaseTally struct {
	Phase
	items map[string]*WorkItem
	order []*WorkItem
}

func (p *phaseTally) item(text string, failed int64) *WorkItem {
	item := p.items[text]
	if item == nil {
		item = &WorkItem{Text: text}
		p.items[text] = item
		p.order = append(p.order, item)
	}
	item.Calls++
	item.Failed += failed
	return item
}

// sort keeps the most important items: failures first, then large changes, then the order of the calls.
func (p *phaseTally) sort() {
	slices.SortStableFunc(p.order, func(a, b *WorkItem) int {
		if byFailed := min(b.Failed, 1) - min(a.Failed, 1); byFailed != 0 {
			return int(byFailed)
		}
		return int(b.Added + b.Removed - a.Added - a.Removed)
	})
	p.Items = []WorkItem{}
	for _, item := range p.order[:min(len(p.order), maxItems)] {
		p.Items = append(p.Items, *item)
	}
	p.Omitted = int64(len(p.order) - len(p.Items))
}

// phase returns the phase that a call belongs to. A command that only looks at files explores.
func (c call) phase() PhaseKind {
	switch c.Action {
	case toolcall.Read, toolcall.Search, toolcall.List, toolcall.Fetch:
		return PhaseExplored
	case toolcall.Write, toolcall.Edit, toolcall.Patch, toolcall.Delete:
		return PhaseEdited
	case toolcall.Run:
		if onlyLooks(c.Command()) {
			return PhaseExplored
		}
		return PhaseRan
	case toolcall.Agent:
		return PhaseDelegated
	case toolcall.Todo, toolcall.Other:
	}
	switch toolcall.Key(c.Part.Name) {
	case "askuserquestion", "requestuserinput", "question", "askuser", "askfollowupquestion", "exitplanmode":
		return PhaseAsked
	case "movefile", "createdirectory", "mkdir":
		return PhaseEdited
	}
	return PhaseUsed
}

// lookers are commands that change nothing; those with arguments need one of them first.
func lookers() map[string][]string {
	return map[string][]string{
		"cat": nil, "ls": nil, "head": nil, "tail": nil, "grep": nil, "rg": nil, "wc": nil, "nl": nil, "tree": nil, "pwd": nil, "cd": nil,
		"file": nil, "stat": nil, "which": nil, "sort": nil, "uniq": nil, "cut": nil, "jq": nil, "du": nil, "echo": nil, "true": nil,
		"sed": {"-n"}, "git": {"log", "show", "diff", "status", "blame", "grep", "ls-files", "branch"}, "go": {"doc", "list"},
	}
}

// onlyLooks reports whether a command line consists of commands that change nothing. It is a guess that only decides where a call is
// shown.
func onlyLooks(command string) bool {
	if strings.ContainsAny(command, ">`") || strings.Contains(command, "$(") {
		cleaned := strings.NewReplacer("2>&1", "", "2>/dev/null", "", ">/dev/null", "").Replace(command)
		if strings.ContainsAny(cleaned, ">`") || strings.Contains(cleaned, "$(") {
			return false
		}
		command = cleaned
	}
	known := lookers()
	seen := false
	for segment := range strings.FieldsFuncSeq(command, func(r rune) bool { return r == '|' || r == ';' || r == '&' || r == '\n' }) {
		words := strings.Fields(segment)
		if len(words) == 0 {
			continue
		}
		first, ok := known[path.Base(words[0])]
		if !ok || first != nil && (len(words) < 2 || !slices.Contains(first, words[1])) {
			return false
		}
		seen = seen || path.Base(words[0]) != "cd" && path.Base(words[0]) != "echo"
	}
	return seen
}
