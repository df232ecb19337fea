package term

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/render"
	"coppice/backend/render/plain"
)

// foldedLines is the number of lines of a tool's output that a terminal shows. All of it is printed elsewhere.
const foldedLines = 12

// transcript prints messages as text for users.
type transcript struct {
	Terminal
	clean  *plain.Cleaner
	labels map[int64]string // by turn
	turn   int64            // of the last message
}

// NewTranscript returns a printer of messages that shows the labels at their turns.
func NewTranscript(t Terminal, labels []core.Label) *transcript {
	byTurn := make(map[int64]string, len(labels))
	for _, label := range labels {
		byTurn[label.Turn] = label.Text
	}
	return &transcript{Terminal: t, clean: plain.NewCleaner(), labels: byTurn, turn: -1}
}

func (t *transcript) Head(s core.Session) error {
	facts := []string{s.ID}
	if s.Name != "" {
		facts = append(facts, s.Name)
	}
	facts = append(facts, string(s.Source))
	for _, fact := range []string{s.Model, s.WorkspacePath} {
		if fact != "" {
			facts = append(facts, present.OneLine(fact))
		}
	}
	facts = append(facts, present.Count(s.MessageCount, "message"), present.Count(s.BranchCount, "branch"))
	if cost := present.Money(s.CostNanoUSD); cost != "" {
		facts = append(facts, cost)
	}
	if estimate := present.Estimate(s.EstimatedNanoUSD, s.UnpricedCount > 0); estimate != "" {
		facts = append(facts, estimate+" at list price")
	}
	notes := ""
	if s.SourceGoneMs != 0 {
		notes = fmt.Sprintf("only here: %s no longer has %s\n", s.Source, present.OneLine(s.SourcePath))
	}
	if s.IncompleteStart {
		notes += fmt.Sprintf("incomplete at the start: %s no longer has the first messages\n", s.Source)
	}
	if len(s.Tags) > 0 {
		notes += "tags: " + present.OneLine(strings.Join(s.Tags, ", ")) + "\n"
	}
	return t.Printf("%s\n%s\n%s", present.SessionTitle(s), strings.Join(facts, " · "), notes)
}

// Message returns a message below a line that names its author.
func (t *transcript) Message(m core.Message) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n── %s\n", present.Cut(strings.Join(t.facts(m), " · "), t.Width-4))
	if notice := m.Notice(); notice != "" {
		fmt.Fprintln(&text, t.clean.Text(notice))
		return text.String()
	}
	for _, part := range m.Parts {
		body := t.part(part)
		text.WriteString(body)
		if body != "" && !strings.HasSuffix(body, "\n") {
			text.WriteByte('\n')
		}
	}
	if m.Error != "" {
		fmt.Fprintf(&text, "error: %s\n", present.OneLine(m.Error))
	}
	return text.String()
}

func (t *transcript) facts(m core.Message) []string {
	facts := []string{fmt.Sprintf("n%d m%d", m.Turn, m.Seq)}
	if m.Turn != t.turn && t.labels[m.Turn] != "" {
		facts = append(facts, "["+present.OneLine(t.labels[m.Turn])+"]")
	}
	t.turn = m.Turn
	facts = append(facts, string(m.Role))
	if m.Kind != core.KindMessage {
		facts = append(facts, string(m.Kind))
	}
	agent := m.Agent
	if m.Role == core.RoleUser && m.Kind != core.KindCompaction { // the user is not the agent that answers
		agent = ""
	}
	for _, fact := range []string{m.Name, agent, m.Model, present.Moment(m.CreatedAtMs)} {
		if fact != "" {
			facts = append(facts, present.OneLine(fact))
		}
	}
	if tokens := render.TokenWords(&m); tokens != "" {
		facts = append(facts, tokens)
	}
	if cost := present.Money(m.CostNanoUSD); cost != "" {
		facts = append(facts, cost)
	}
	if m.Siblings > 1 {
		facts = append(facts, fmt.Sprintf("%d of %d", m.SiblingIndex, m.Siblings))
	}
	return facts
}

func (t *transcript) part(p core.Part) string {
	switch p.Type {
	case core.PartText, core.PartSummary:
		return t.clean.Text(p.Text)
	case core.PartReasoning:
		return t.indented("~ ", t.folded(p.Text))
	case core.PartToolCall:
		return present.Cut("▸ "+present.OneLine(p.Name)+" "+arguments(p), t.Width)
	case core.PartToolResult:
		return t.result(p)
	case core.PartMedia:
		return mediaLine(p.Media)
	case core.PartOther:
		return present.Cut("[other] "+present.OneLine(string(p.Native)), t.Width)
	default:
		return "[" + present.OneLine(string(p.Type)) + "]"
	}
}

func arguments(call core.Part) string {
	var compact bytes.Buffer
	if json.Compact(&compact, call.Arguments) != nil {
		return present.OneLine(call.Text)
	}
	return present.OneLine(compact.String())
}

func (t *transcript) result(p core.Part) string {
	var text strings.Builder
	if p.IsError {
		text.WriteString("failed\n")
	}
	for _, piece := range p.Result {
		body := mediaLine(piece.Media)
		if piece.Type != core.PartMedia {
			body = t.folded(piece.Text)
		}
		text.WriteString(strings.TrimRight(body, "\n") + "\n")
	}
	return t.indented("  ", text.String())
}

// folded returns a text that may be long, cut if it is shown on a terminal.
func (t *transcript) folded(text string) string {
	text = strings.TrimRight(t.clean.Text(text), "\n")
	lines := strings.Count(text, "\n") + 1
	if t.Width == 0 || lines <= foldedLines+1 {
		return text
	}
	end := 0
	for range foldedLines {
		end += strings.IndexByte(text[end:], '\n') + 1
	}
	return text[:end] + fmt.Sprintf("… %s more lines", humanize.Comma(int64(lines-foldedLines)))
}

func (t *transcript) indented(mark, text string) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		body, end := strings.CutSuffix(line, "\n")
		out.WriteString(strings.TrimRight(mark+body, " "))
		if end {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func mediaLine(m *core.Media) string {
	if m == nil {
		return ""
	}
	words := []string{m.MimeType}
	for _, word := range []string{m.Name, m.URI} {
		if word != "" {
			words = append(words, word)
		}
	}
	if m.SizeBytes > 0 {
		words = append(words, present.Size(m.SizeBytes))
	}
	return "[" + present.OneLine(strings.Join(words, " ")) + "]"
}
