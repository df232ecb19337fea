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

// preview returns the beginning of a text as one line, with three dots if it is longer.
func preview(text string, chars int) string {
	line := strings.Join(strings.Fields(text), " ")
	if short := core.Cut(line, chars); short != line {
		return short + "..."
	}
	return line
}

// maxFiles is how many files a section names.
const maxFiles = 20

// filesOf returns a line with the files that the calls of messages name, the newest first; empty without any.
func filesOf(covered []core.Message) string {
	var files []string
	for i := len(covered) - 1; i >= 0 && len(files) < maxFiles; i-- {
		for _, p := range covered[i].ToolCalls() {
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
