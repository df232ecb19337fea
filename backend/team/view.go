package team

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

// summaryRunes is how much of an answer an agent with the view core.ViewSummary sees.
const summaryRunes = 600

// Seen returns the path as the agent whose turn it is sees it: its own messages as they are, the answers of the others as texts with their
// names, and a note where its turn begins. Calls of the others and their results are left out, and so are their compactions. It changes
// none of the messages.
func Seen(path []core.Message, r *core.TeamRun) []core.Message {
	s, view := &r.State, ViewOf(r)
	start := slices.IndexFunc(path, func(m core.Message) bool { return m.UID == s.StartUID })
	if view == core.ViewLast && start >= 0 {
		path, start = lastOnly(path, start, s.Agent)
	}
	newest := newestAnswers(path)
	out := make([]core.Message, 0, len(path)+1)
	for i := range path {
		m := path[i]
		switch mine := m.Agent == s.Agent; {
		case IsChange(&m):
		case m.Kind == core.KindCompaction:
			if m.IsSharedCompaction() || mine {
				out = append(out, m)
			}
		case m.Role == core.RoleUser && m.Kind == core.KindMeta:
			if mine || m.Name == core.JoinName && view != core.ViewOwn {
				out = append(out, m)
			}
		case m.Role == core.RoleUser:
			if to, is := addressed(&r.Definition, words(&m)); view != core.ViewOwn || !is || to == s.Agent {
				out = append(out, m)
			}
		case mine:
			if n := len(out); view != core.ViewLast && i <= start && m.Role == core.RoleAssistant && (n == 0 || out[n-1].Role != core.RoleTool) {
				out = append(out, note(s, path[max(i-1, 0)].UID, "")) // as in the former turn, so that providers find their caches
			}
			out = append(out, m)
		case m.Role == core.RoleAssistant && (view == core.ViewAll || view == core.ViewLast || view == core.ViewSummary && slices.Contains(newest, m.UID)):
			if quoted, ok := quote(m, view); ok {
				out = append(out, quoted)
			}
		}
		if i == start {
			out = append(out, note(s, s.StartUID, s.Note))
		}
	}
	if start < 0 {
		out = append(out, note(s, "", s.Note))
	}
	return afterCompaction(out, noteUID+s.StartUID)
}

// ViewOf returns what the agent whose turn it is sees of the others. One that decides about the work sees all of it.
func ViewOf(r *core.TeamRun) core.TeamView {
	switch r.State.Phase {
	case core.PhaseChoose, core.PhaseLedger, core.PhasePlan, core.PhaseFinal, core.PhaseJudge:
		return core.ViewAll
	case core.PhaseWork, core.PhaseAddressed, core.PhaseBranches, core.PhaseBranch, core.PhaseJoin:
	}
	me, _ := r.Definition.Find(r.State.Agent)
	if me.View == core.ViewLast && r.State.Phase == core.PhaseAddressed {
		return core.ViewAll // the user may ask about anything
	}
	return cmp.Or(me.View, core.ViewAll)
}

// lastOnly returns what an agent with the view core.ViewLast sees of a path: the last answer before its turn, what the user has added to that,
// and the turn. start is the last message before the turn.
func lastOnly(path []core.Message, start int, agent string) (seen []core.Message, last int) {
	at := start
	for at > 0 && !IsJudgedBy(&path[at], agent) {
		at--
	}
	seen = append(seen, path[at])
	for i := at + 1; i <= start; i++ {
		if path[i].IsPrompt() {
			seen = append(seen, path[i])
		}
	}
	return append(seen, path[start+1:]...), len(seen) - 1
}

// IsJudgedBy reports whether a message is an answer to be judged by an agent: words of another agent, or what joins those of several.
func IsJudgedBy(m *core.Message, agent string) bool {
	return m.Role == core.RoleAssistant && m.Agent != agent && words(m) != "" || m.Kind == core.KindMeta && m.Name == core.JoinName
}

// noteUID begins the uid of a note, which is in no tree; the rest is that of the message before the turn.
const noteUID = "turn "

// note returns what the agent is sent at the beginning of its turn.
func note(s *core.TeamState, after, words string) core.Message {
	text := fmt.Sprintf("[SYSTEM] It is your turn, %s.", s.Agent)
	if s.Phase == core.PhaseAddressed && after == s.StartUID {
		text = fmt.Sprintf("[SYSTEM] The user speaks to you, %s.", s.Agent)
	}
	if words != "" {
		text += " " + words
	}
	return core.Message{UID: noteUID + after, Role: core.RoleUser, Kind: core.KindMeta, Parts: []core.Part{{Type: core.PartText, Text: text, Injected: true}}}
}

// quote returns an answer of another agent as the agent sees it; ok is false if it has no words.
func quote(m core.Message, view core.TeamView) (quoted core.Message, ok bool) {
	text := words(&m)
	if text == "" {
		return quoted, false
	}
	if view == core.ViewSummary {
		text = core.Cut(text, summaryRunes)
	}
	if m.FinishReason == core.FinishAborted || m.FinishReason == core.FinishError {
		text += " " + core.AnswerEnds
	}
	name := m.Agent
	if name == "" {
		name = "assistant"
	}
	return core.Message{
		UID: m.UID, Seq: m.Seq, Turn: m.Turn, Role: core.RoleUser, Kind: core.KindMeta,
		Parts: []core.Part{{Type: core.PartText, Text: "[" + name + "]: " + text, Injected: true}},
	}, true
}

// words returns the texts of a message.
func words(m *core.Message) string {
	var texts []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartText && strings.TrimSpace(p.Text) != "" {
			texts = append(texts, strings.TrimSpace(p.Text))
		}
	}
	return strings.Join(texts, "\n\n")
}

// newestAnswers returns the uids of the newest answer with words of each agent.
func newestAnswers(path []core.Message) []string {
	var agents, uids []string
	for i := len(path) - 1; i >= 0; i-- {
		if m := &path[i]; m.Role == core.RoleAssistant && !slices.Contains(agents, m.Agent) && words(m) != "" {
			agents, uids = append(agents, m.Agent), append(uids, m.UID)
		}
	}
	return uids
}

// afterCompaction moves a note that a compaction of the same turn would hide to just after that.
func afterCompaction(path []core.Message, uid string) []core.Message {
	at := slices.IndexFunc(path, func(m core.Message) bool { return m.UID == uid })
	newest := len(path) - 1
	for newest >= 0 && path[newest].Kind != core.KindCompaction {
		newest--
	}
	if newest < at {
		return path
	}
	note := path[at]
	moved := slices.Concat(path[:at], path[at+1:newest+1])
	return append(append(moved, note), path[newest+1:]...)
}

// Blocks returns a path of Seen in which what an agent was sent before each of its turns opens a turn, as a prompt does. A compaction keeps
// whole turns.
func Blocks(seen []core.Message) []core.Message {
	out := slices.Clone(seen)
	for i := range out {
		if strings.HasPrefix(out[i].UID, noteUID) { // a compaction keeps from the answer on: no tree has the note
			switch {
			case i+1 < len(out):
				out[i].UID = out[i+1].UID
			case i > 0:
				out[i].UID = out[i-1].UID
			}
		}
		if out[i].Role == core.RoleUser && out[i].Kind == core.KindMeta && (i == 0 || out[i-1].Role != core.RoleUser) {
			out[i].Kind = core.KindMessage
		}
	}
	return out
}
