package compact

import (
	"cmp"
	"fmt"
	"strings"

	"coppice/backend/core"
)

// writtenTitle begins a section that a model wrote, as in fuseraft.
const writtenTitle = "[CONVERSATION SUMMARY — covers turns %d–%d]"

const summaryRole = "You write a summary of the beginning of a conversation between a user and an AI agent. " +
	"Another model continues the conversation with your summary in place of that beginning. " +
	"The conversation is quoted between <conversation> tags. Do not answer it and do not continue it."

const summaryTask = `Summarize the conversation under these headings, and leave out a heading that has nothing:

## Completed
What was done, with the decisions and their reasons.
## Open Questions
What is not decided, and what the user still has to answer.
## Remaining Work
What the user wants that is not done, with the constraints and preferences that the user stated.
## Key Findings
Exact facts that are needed later: paths, commands, names, ids, error messages, numbers.

Write in the language of the conversation. Write at most %d characters.`

const (
	quotedOutputChars = 2000 // of the output of a tool in the request for a summary
	requestOfWindow   = 2    // the request for a summary has at most one in so many parts of the window
)

// written returns the model's summary of messages as a section; without an answer, a placeholder of the size that it may have.
func (in *Input) written(covered []core.Message, limit int) string {
	title := fmt.Sprintf(writtenTitle, covered[0].Turn, covered[len(covered)-1].Turn)
	if files := filesOf(covered); files != "" && len(files) < limit/4 {
		title += "\n" + files
	}
	room := max(limit-len(title)-2-len(truncatedMark), 0)
	if in.answer == "" {
		size := min(int64(room), SizeOf(covered).Bytes/4)
		return title + "\n\n" + strings.Repeat("x", int(size))
	}
	return title + "\n\n" + truncated(strings.TrimSpace(in.answer), room)
}

// request returns the request for the summary of a form.
func (in *Input) request(v *View, f form) *core.Request {
	limit := in.allowance() / sectionOfSummary
	text := fmt.Sprintf(summaryTask, limit)
	if in.Focus != "" {
		text += "\n\nThe user asks you to keep in particular: " + core.Cut(in.Focus, maxMessageChars)
	}
	before := ""
	if _, sections := former(v.Summary); len(sections) > 0 {
		before = "Summary of what came before, for your information; do not repeat it:\n\n" + strings.Join(sections, "\n\n") + "\n\n"
	}
	window := cmp.Or(in.WindowTokens, in.LimitTokens, DefaultTokens)
	quoted := quote(v.Messages[:f.cut], max(int(window*charsPerToken/requestOfWindow)-len(before)-len(summaryTask), minSummaryBytes))
	prompt := before + "<conversation>\n" + quoted + "\n</conversation>\n\n" + text
	return &core.Request{
		System: summaryRole, MaxOutputTokens: int64(max(limit/charsPerToken*2, 1000)),
		Messages: []core.Message{{Role: core.RoleUser, Kind: core.KindMessage, Parts: []core.Part{{Type: core.PartText, Text: prompt}}}},
	}
}

// quote writes messages as text in at most limit bytes. Long messages are cut first, more and more; then the oldest are left out.
func quote(messages []core.Message, limit int) string {
	chars := maxMessageChars
	var lines []string
	for try := 0; ; try++ {
		lines = lines[:0]
		size := 0
		for i := range messages {
			if line := quoteMessage(&messages[i], chars); line != "" {
				lines = append(lines, line)
				size += len(line) + 2
			}
		}
		if size <= limit || try > shrinkTries {
			break
		}
		chars = chars * 8 / 10
		if try == shrinkTries {
			chars = minShrunkChars
		}
	}
	first, left := len(lines), limit
	for first > 0 && left >= len(lines[first-1])+2 {
		first--
		left -= len(lines[first]) + 2
	}
	quoted := strings.Join(lines[first:], "\n\n")
	if first > 0 {
		quoted = fmt.Sprintf("[%d older messages left out]\n\n", first) + quoted
	}
	return quoted
}

// quoteMessage writes a message as text: what was said, the calls and their results. Empty if that is nothing.
func quoteMessage(m *core.Message, chars int) string {
	var pieces []string
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Type {
		case core.PartText, core.PartSummary:
			pieces = append(pieces, shortened(strings.TrimSpace(p.Text), chars))
		case core.PartToolCall:
			pieces = append(pieces, "[calls "+shortened(p.PlainText(), chars)+"]")
		case core.PartToolResult:
			pieces = append(pieces, "[result of "+p.Name+": "+shortened(p.PlainText(), min(chars, quotedOutputChars))+"]")
		case core.PartMedia:
			pieces = append(pieces, "[image or file]")
		default: // reasoning, and what only its provider understands
		}
	}
	text := strings.TrimSpace(strings.Join(pieces, "\n"))
	if text == "" {
		return ""
	}
	return strings.ToUpper(string(m.Role)) + ": " + text
}

func shortened(text string, chars int) string {
	if short := core.Cut(text, chars); short != text {
		return short + fmt.Sprintf(truncatedMark, len([]rune(text)))
	}
	return text
}

// Answered completes a compaction with the summary that a model wrote, and what that call used. The error is Invalid for an answer that is no
// summary, Conflict if it saves too little.
func (r Result) Answered(answer *core.Message) (Result, error) {
	text := strings.TrimSpace(answer.Text())
	if text == "" {
		return Result{}, core.E(core.Invalid, "the model wrote no summary")
	}
	r.in.answer = text
	v := ViewOf(r.in.Path)
	done := r.in.result(&v, r.form, r.Before)
	done.Message.Usage, done.Message.CostNanoUSD, done.Message.Model, done.Message.Origin = answer.Usage, answer.CostNanoUSD, answer.Model, answer.Origin
	if c, ok := done.Message.Compaction(); ok {
		if c.Replaced == nil {
			c.Replaced = &core.ReplacedUsage{}
		}
		c.Replaced.Add(answer)
		done.Message.Meta = c.Meta()
	}
	return done.settled(&v)
}
