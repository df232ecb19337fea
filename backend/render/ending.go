package render

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// ending is how a call ended, as its result records it.
type ending struct {
	text     string // the output without the lines that a tool adds; of a long one, its end
	isHead   bool   // text is the beginning of a longer output, whose end is not at hand
	lines    int64  // of the whole output
	exitCode *int64 // nil: not recorded
}

// endingBytes is how far from the beginning and the end of an output tools write how it ended.
const endingBytes = 400

// endingOf reads how a call ended. It reads the end of a long output and not the whole.
func endingOf(result *core.Part) ending {
	if result == nil {
		return ending{}
	}
	var e ending
	first := ""
	for _, part := range outputsOf(result) {
		if first == "" {
			first = part.Text
		}
		e.lines += measured(BlockResult, part).Lines
		if part.Text == "" {
			continue
		}
		e.text, e.isHead = part.Text, false
		if whole := part.Truncated; whole != nil && !whole.Shown {
			e.text, e.isHead = whole.Tail, false
			if whole.Tail == "" {
				e.text, e.isHead = part.Text, true
			}
		}
	}
	e.exitCode = exitCodeOf(result)
	e.unwrap(first)
	return e
}

// outputsOf returns the texts of a result.
func outputsOf(result *core.Part) []*core.Part {
	var texts []*core.Part
	for i := range result.Result {
		if part := &result.Result[i]; part.Type == core.PartText {
			texts = append(texts, part)
		}
	}
	if len(texts) == 0 && result.Text != "" {
		texts = append(texts, result)
	}
	return texts
}

func exitCodeOf(result *core.Part) *int64 {
	for _, name := range []string{"exitCode", "exit_code", "exit", "metadata.exit", "metadata.exit_code"} {
		if code := gjson.GetBytes(result.Structured, name); code.Type == gjson.Number {
			n := code.Int()
			return &n
		}
	}
	return nil
}

// unwrap removes the lines with which tools wrap an output, and reads the exit code in them. first is the beginning of the output.
func (e *ending) unwrap(first string) {
	isWhole := first == e.text
	head := first[:min(len(first), endingBytes)]
	switch {
	case strings.HasPrefix(head, "Exit code "): // Claude Code
		line, _, _ := strings.Cut(head, "\n")
		e.code(strings.TrimPrefix(line, "Exit code "))
		e.cutHead(isWhole, "\n")
	case codexCode(head) != "":
		e.code(codexCode(head))
		e.cutHead(isWhole, "Output:\n")
	case strings.HasPrefix(head, "Command: ") || strings.HasPrefix(head, "Output: "): // Gemini CLI
		e.unwrapGemini(isWhole)
	case strings.HasSuffix(e.text, ")"): // Coppice
		at := strings.LastIndexByte(e.text, '\n') + 1
		if code, ok := strings.CutPrefix(e.text[at:], "(exit code "); ok {
			end := strings.IndexAny(code, ", )")
			e.code(code[:max(end, 0)])
			e.text = e.text[:at]
			e.lines--
		}
	}
}

// codexCode returns the exit code in the lines that Codex writes before an output; empty if it is not there.
func codexCode(head string) string {
	for line := range strings.Lines(head) {
		line = strings.TrimSuffix(line, "\n")
		for _, mark := range []string{"Exit code: ", "Process exited with code "} {
			if code, ok := strings.CutPrefix(line, mark); ok {
				return code
			}
		}
		if !strings.HasPrefix(line, "Chunk ID: ") && !strings.HasPrefix(line, "Wall time: ") {
			break
		}
	}
	return ""
}

func (e *ending) unwrapGemini(isWhole bool) {
	tail := e.text[max(0, len(e.text)-endingBytes):]
	if _, code, ok := strings.Cut(tail, "\nExit Code: "); ok {
		line, _, _ := strings.Cut(code, "\n")
		e.code(line)
	}
	e.cutHead(isWhole, "Output: ")
	if at := strings.LastIndex(e.text, "\nError: "); at >= 0 {
		rest := e.text[at+len("\nError: "):]
		e.lines -= int64(strings.Count(rest, "\n")) + 1
		e.text = e.text[:at]
		if reason, _, _ := strings.Cut(rest, "\nExit Code: "); reason != "(none)" {
			e.text += "\n" + reason
			e.lines += int64(strings.Count(reason, "\n")) + 1
		}
	}
	if strings.TrimSpace(e.text) == "(empty)" {
		e.text = ""
	}
}

func (e *ending) code(text string) {
	if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
		e.exitCode = &n
	}
}

// cutHead removes the text up to a mark near its beginning, if the beginning is at hand.
func (e *ending) cutHead(isWhole bool, mark string) {
	if !isWhole {
		return
	}
	before, after, ok := strings.Cut(e.text, mark)
	if !ok || len(before) > 16*endingBytes {
		if !strings.Contains(e.text, "\n") {
			e.text, e.lines = "", 0 // nothing but the line
		}
		return
	}
	e.lines -= int64(strings.Count(before+mark, "\n"))
	e.text = after
}
