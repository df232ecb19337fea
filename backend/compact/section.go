package compact

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

// The lengths of previews, in characters, and how many texts of the model a section shows, as AgentZero publishes them.
const (
	userPreviewChars      = 80
	assistantPreviewChars = 100
	shownPoints           = 3
)

// sectionTitle begins the section of a compaction that no model wrote.
const sectionTitle = "[Context summary of %d earlier messages]"

// section summarizes messages in at most limit bytes.
func (in *Input) section(covered []core.Message, f form, limit int) string {
	title := fmt.Sprintf(sectionTitle, len(covered))
	switch f.strategy {
	case core.CompactSimple:
		return head(title+"\n"+strings.Join(previews(covered), "\n"), limit)
	case core.CompactCodeAware:
		return codeAware(title, covered, limit)
	case core.CompactRoleBudget:
		return roleBudget(title, covered, limit)
	case core.CompactLLM:
		return in.written(covered, limit)
	default: // left out
		return ""
	}
}

// previews returns what was asked, how many tools were called, and the first points of the answers.
func previews(covered []core.Message) []string {
	var asked, points []string
	calls := 0
	for i := range covered {
		m := &covered[i]
		text := strings.TrimSpace(m.Text())
		switch {
		case m.IsPrompt() && text != "":
			asked = append(asked, preview(text, userPreviewChars))
		case m.IsCall() && text != "":
			points = append(points, preview(text, assistantPreviewChars))
		}
		calls += len(callsOf(m))
	}
	var lines []string
	if len(asked) > 0 {
		lines = append(lines, "User asked about: "+strings.Join(asked, "; "))
	}
	if calls > 0 {
		lines = append(lines, fmt.Sprintf("Tools used: %d calls", calls))
	}
	if len(points) > 0 {
		more := ""
		if n := len(points) - shownPoints; n > 0 {
			more = fmt.Sprintf(" (+%d more)", n)
		}
		lines = append(lines, "Key points discussed: "+strings.Join(points[:min(shownPoints, len(points))], "; ")+more)
	}
	return lines
}

// preview returns the beginning of a text as one line, with three dots if it is longer.
func preview(text string, chars int) string {
	line := strings.Join(strings.Fields(text), " ")
	if short := core.Cut(line, chars); short != line {
		return short + "..."
	}
	return line
}

func callsOf(m *core.Message) (calls []*core.Part) {
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Type == core.PartToolCall && m.Role == core.RoleAssistant {
			calls = append(calls, p)
		}
	}
	return calls
}

// codeAware keeps fenced code verbatim and previews the prose around it. The newest messages come first into the limit; a block that
// is too long is left out whole.
func codeAware(title string, covered []core.Message, limit int) string {
	left := limit - len(title) - 1
	if files := filesOf(covered); files != "" && len(files) < left/4 {
		title += "\n" + files
		left -= len(files) + 1
	}
	var lines []string
	for i := len(covered) - 1; i >= 0; i-- {
		line := codeLine(&covered[i], left)
		if line == "" {
			continue
		}
		if left -= len(line) + 1; left < 0 {
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return strings.Join(append([]string{title}, lines...), "\n")
}

// codeLine returns a message with its code whole if it has at most limit bytes, else without the code.
func codeLine(m *core.Message, limit int) string {
	text := strings.TrimSpace(m.Text())
	author, chars := "Assistant", assistantPreviewChars
	switch {
	case m.IsPrompt():
		author, chars = "User", userPreviewChars
	case !m.IsCall():
		return ""
	}
	if text == "" {
		return toolLine(m)
	}
	full, short := author+":", author+":"
	for _, b := range blocks(text) {
		if b.code {
			full += "\n" + b.text + "\n"
			short += fmt.Sprintf(" [code of %d lines]", strings.Count(b.text, "\n")-1)
			continue
		}
		full += " " + preview(b.text, chars)
		short += " " + preview(b.text, chars)
	}
	if len(full) <= limit {
		return strings.TrimRight(full, "\n")
	}
	return short
}

// toolLine names the tools that a message without a text calls.
func toolLine(m *core.Message) string {
	var names []string
	for _, p := range callsOf(m) {
		if p.Name != "" && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Assistant called " + strings.Join(names, ", ")
}

// block is a piece of Markdown: fenced code with its fences, or prose.
type block struct {
	text string
	code bool
}

// blocks splits Markdown into prose and fenced code. A fence that is not closed ends with the text.
func blocks(text string) []block {
	var out []block
	var lines []string
	fence := ""
	flush := func(code bool) {
		if joined := strings.Join(lines, "\n"); strings.TrimSpace(joined) != "" {
			out = append(out, block{joined, code})
		}
		lines = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		mark := fenceOf(line)
		switch {
		case fence == "" && mark != "":
			flush(false)
			fence = mark
			lines = append(lines, line)
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark:
			lines = append(lines, line)
			flush(true)
			fence = ""
		default:
			lines = append(lines, line)
		}
	}
	flush(fence != "")
	return out
}

// fenceOf returns the backticks or tildes that a fence begins with; empty for any other line.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// The shares of the three roles of a summary of role-budget, in hundredths: the output of tools is the most verbose and the least useful.
const (
	toolShare      = 15
	userShare      = 30
	assistantShare = 55
)

// roleBudget keeps the newest texts of each role within its share of the limit.
func roleBudget(title string, covered []core.Message, limit int) string {
	limit -= len(title) + 3*len("\nAssistant:\n")
	var tools, user, assistant []string
	for i := range covered {
		m := &covered[i]
		text := strings.TrimSpace(m.Text())
		switch {
		case m.IsPrompt():
			user = append(user, text)
		case m.IsCall():
			assistant = append(assistant, text)
		}
		for j := range m.Parts {
			if p := &m.Parts[j]; p.Type == core.PartToolResult {
				tools = append(tools, strings.TrimSpace(p.PlainText()))
			}
		}
	}
	out := title
	for _, role := range []struct {
		name  string
		texts []string
		share int
	}{{"User:", user, userShare}, {"Assistant:", assistant, assistantShare}, {"Tools:", tools, toolShare}} {
		if kept := newestTexts(role.texts, limit*role.share/100); kept != "" {
			out += "\n" + role.name + "\n" + kept
		}
	}
	return out
}

// newestTexts returns the end of texts, each on lines of its own, in at most limit bytes.
func newestTexts(texts []string, limit int) string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	all := strings.Join(texts, "\n")
	if len(all) <= limit {
		return all
	}
	if limit <= len("…") {
		return ""
	}
	return "…" + tail(all, limit-len("…"))
}

// maxFiles is how many files a section names.
const maxFiles = 20

// filesOf returns a line with the files that the calls of messages name, the newest first; empty without any.
func filesOf(covered []core.Message) string {
	var files []string
	for i := len(covered) - 1; i >= 0 && len(files) < maxFiles; i-- {
		for _, p := range callsOf(&covered[i]) {
			if file := fileOf(p.Arguments); file != "" && len(files) < maxFiles && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 {
		return ""
	}
	return "Files: " + strings.Join(files, ", ")
}

// maxFileChars is the longest name of a file that a section shows.
const maxFileChars = 200

// fileOf returns the file that the arguments of a call name.
func fileOf(arguments json.RawMessage) string {
	var a struct {
		Path     string `json:"path"`
		FilePath string `json:"file_path"`
	}
	if len(arguments) == 0 || json.Unmarshal(arguments, &a) != nil {
		return ""
	}
	for _, file := range []string{a.Path, a.FilePath} {
		if file != "" && len(file) <= maxFileChars && !strings.ContainsAny(file, "\n\r") {
			return file
		}
	}
	return ""
}
