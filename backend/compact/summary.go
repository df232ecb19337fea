package compact

import (
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Tag begins every summary.
const Tag = "[COMPACTION SUMMARY]"

// partHeader is the name of the first part of a summary. A part without a name is a section.
const partHeader = "header"

const (
	maxSummaryBytes  = 16_000
	minSummaryBytes  = 600
	summaryPercent   = 25 // of the room for messages
	summaryOfBytes   = 4  // a summary has at most one in so many parts of the bytes that trigger a compaction
	requestOfSummary = 2  // the request in progress has at most one in so many parts of a summary
	sectionOfSummary = 2  // a section has at most one in so many parts of a summary
)

// allowance returns how many bytes a summary may have.
func (in *Input) allowance() int {
	limit := int64(maxSummaryBytes)
	if in.limit() > 0 {
		limit = min(limit, in.share(summaryPercent)*charsPerToken)
	}
	if in.Plan.TriggerBytes > 0 {
		limit = min(limit, in.Plan.TriggerBytes/summaryOfBytes)
	}
	return int(max(limit, minSummaryBytes))
}

// message returns the compaction of a form.
func (in *Input) message(v *View, f form, before Size) core.Message {
	covered := v.Messages[:f.cut]
	c := core.Compaction{
		Strategy: f.strategy, CoveredMessages: coveredBy(v.Summary, v.FirstIndex) + int64(f.cut), MaxOutputChars: f.maxOutputChars, MessagesBefore: before.Messages,
		TokensBefore: before.Tokens, Why: in.Why, Focus: in.Focus, Replaced: replaced(v, in.Path, f.cut),
	}
	c.CoveredTurns, c.CoveredSteps = progress(v, f.cut)
	if f.cut < len(v.Messages) {
		c.FirstKept = v.Messages[f.cut].UID
	}
	in.carry(v, &c, f)
	request, sections := former(v.Summary)
	if prompt := newestPrompt(covered); prompt != "" {
		request = prompt
	}
	if f.cut > 0 && f.cut < len(v.Messages) && v.Messages[f.cut].IsPrompt() {
		request = "" // it is done: the context begins with a later one
	}
	limit := in.allowance()
	if f.cut > 0 {
		if section := in.section(covered, f, limit/sectionOfSummary); section != "" {
			sections = append(sections, section)
		}
	}
	parts := assemble(c.CoveredMessages, request, sections, limit, &c)
	return core.Message{Role: core.RoleUser, Kind: core.KindCompaction, Parts: parts, Meta: c.Meta()}
}

// coveredBy returns how many messages the former summary replaces, other summaries excluded. first is the position after it.
func coveredBy(summary *core.Message, first int) int64 {
	if summary == nil {
		return 0
	}
	if c, own := summary.Compaction(); own {
		return c.CoveredMessages
	}
	return int64(first - 1)
}

// progress returns how many prompts are covered, and how many answers since the last of them if its turn is cut.
func progress(v *View, cut int) (turns, steps int64) {
	if v.Summary != nil {
		if c, own := v.Summary.Compaction(); own {
			turns, steps = c.CoveredTurns, c.CoveredSteps
		}
	}
	for i := range v.Messages[:cut] {
		switch m := &v.Messages[i]; {
		case m.IsPrompt():
			turns, steps = turns+1, 0
		case m.IsCall() && m.FinishReason != core.FinishAborted:
			steps++
		}
	}
	if cut < len(v.Messages) && v.Messages[cut].IsPrompt() {
		steps = 0
	}
	return turns, steps
}

// carry keeps what the former compaction removed from the messages that stay.
func (in *Input) carry(v *View, c *core.Compaction, f form) {
	blanked := f.blankedBefore
	if v.Summary != nil && f.cut < v.Kept {
		if old, ok := v.Summary.Compaction(); ok {
			if i := slices.IndexFunc(v.Messages, func(m core.Message) bool { return m.UID == old.BlankedBefore }); old.BlankedBefore != "" && i > blanked {
				blanked = i
			}
			if old.MaxOutputChars > 0 { // the limit was for these messages, not for newer ones
				blanked = max(blanked, min(v.Kept, len(v.Messages)-1))
			}
		}
	}
	if blanked > f.cut {
		c.BlankedBefore = v.Messages[blanked].UID
	}
}

// newestPrompt returns the text of the newest prompt among messages; empty without one.
func newestPrompt(messages []core.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].IsPrompt() {
			return messages[i].Text()
		}
	}
	return ""
}

// former returns what a summary has that is extended. A summary of another tool is one section.
func former(summary *core.Message) (request string, sections []string) {
	if summary == nil {
		return "", nil
	}
	if _, own := summary.Compaction(); !own {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(allText(summary)), Tag))
		if text == "" {
			return "", nil
		}
		return "", []string{text}
	}
	for i := range summary.Parts {
		switch p := &summary.Parts[i]; p.Name {
		case partHeader:
		case core.PartRequest:
			request = strings.TrimPrefix(p.Text, core.RequestLine)
		default:
			sections = append(sections, p.Text)
		}
	}
	return request, sections
}

func allText(m *core.Message) string {
	var texts []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartText || p.Type == core.PartSummary {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// assemble returns the parts of a summary of at most limit bytes: the oldest sections are removed first.
func assemble(coveredMessages int64, request string, sections []string, limit int, c *core.Compaction) []core.Part {
	header := Tag + "\nOld output of tools was removed from this conversation."
	if coveredMessages > 0 {
		header = fmt.Sprintf("%s\nThis summary replaces the first %d messages of the conversation.", Tag, coveredMessages)
	}
	parts := []core.Part{{Type: core.PartSummary, Name: partHeader, Text: header}}
	left := limit - len(header)
	if request != "" {
		text := truncated(request, min(maxMessageChars, max(limit/requestOfSummary-len(core.RequestLine)-len(truncatedMark), 0)))
		parts = append(parts, core.Part{Type: core.PartSummary, Name: core.PartRequest, Text: core.RequestLine + text})
		left -= len(core.RequestLine) + len(text)
	}
	first := len(sections)
	for first > 0 && left >= len(sections[first-1]) {
		first--
		left -= len(sections[first])
	}
	if first == len(sections) && first > 0 && left > 0 { // the newest one alone is too long
		first--
		sections = slices.Clone(sections)
		sections[first] = truncated(sections[first], max(left-len(truncatedMark), 0))
	}
	c.TrimmedSections += int64(first)
	for _, section := range sections[first:] {
		parts = append(parts, core.Part{Type: core.PartSummary, Text: section})
	}
	return parts
}

// truncated cuts a text to a number of bytes, on a character boundary, and marks what is missing.
func truncated(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.TrimRight(head(text, bytes), " \n") + fmt.Sprintf(truncatedMark, len([]rune(text)))
}

// head returns the longest beginning of a text with at most so many bytes that ends with a whole character.
func head(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	end := 0
	for i := range text {
		if i > bytes {
			break
		}
		end = i
	}
	return text[:end]
}

// tail is head for the end of a text.
func tail(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for i := range text {
		if len(text)-i <= bytes {
			return text[i:]
		}
	}
	return ""
}

// replaced returns the usage of the messages that a compaction replaces.
func replaced(v *View, path []core.Message, cut int) *core.ReplacedUsage {
	sum := core.ReplacedUsage{}
	from := 0
	if v.Summary != nil {
		if old, ok := v.Summary.Compaction(); ok && old.Replaced != nil {
			sum, from = *old.Replaced, min(v.FirstIndex, len(path))
		}
	}
	for i := from; i < min(v.FirstIndex, len(path)); i++ {
		sum.Add(&path[i])
	}
	uids := make(map[string]bool, cut)
	for i := range v.Messages[:cut] {
		uids[v.Messages[i].UID] = true
	}
	for i := from; i < len(path); i++ {
		if uids[path[i].UID] {
			sum.Add(&path[i]) // not of the view: it has no usage there
		}
	}
	if sum == (core.ReplacedUsage{}) {
		return nil
	}
	return &sum
}
