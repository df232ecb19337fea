package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// dollars formats billionths of a US dollar: to the cent, and below a dollar to a hundredth of a cent if that adds
// information.
func dollars(nano int64) string {
	const perDollar = 1_000_000_000
	if nano >= perDollar {
		return "$" + humanize.CommafWithDigits(float64(nano)/perDollar, 2)
	}
	text := strconv.FormatFloat(float64(nano)/perDollar, 'f', 4, 64)
	for range 2 {
		text = strings.TrimSuffix(text, "0")
	}
	return "$" + text
}

// ordinal returns the number of a branch as users count, as in "3 of 6".
func ordinal(branch int64) int64 { return branch + 1 }

func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return humanize.Comma(n) + " " + many
}

// byteSize formats a size as 12.4 MB, in powers of 1000.
func byteSize(n int64) string {
	size, unit := float64(n), "B"
	for _, next := range []string{"kB", "MB", "GB"} {
		if size < 1000 {
			break
		}
		size, unit = size/1000, next
	}
	if unit == "B" {
		return strconv.FormatInt(n, 10) + " B"
	}
	return strconv.FormatFloat(size, 'f', 1, 64) + " " + unit
}

// duration formats a duration as 0.3 s, 42 s, 2 min 10 s or 3 h 5 min. It is empty for less than a tenth of a second,
// or if the duration was not measured.
func duration(ms int64) string {
	if ms < 100 {
		return ""
	}
	if ms < 9_950 {
		return strconv.FormatFloat(float64(ms)/1000, 'f', 1, 64) + " s"
	}
	seconds := (ms + 500) / 1000
	switch minutes := seconds / 60; {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case minutes < 60:
		return inTwo(minutes, "min", seconds%60, "s")
	default:
		return inTwo(minutes/60, "h", minutes%60, "min")
	}
}

// inTwo formats a number in two units; it omits the small one if it is zero.
func inTwo(large int64, largeUnit string, small int64, smallUnit string) string {
	if small == 0 {
		return fmt.Sprintf("%d %s", large, largeUnit)
	}
	return fmt.Sprintf("%d %s %d %s", large, largeUnit, small, smallUnit)
}

// extent returns how much output a tool wrote if the part does not have all of it; otherwise empty.
func extent(part *core.Part) string {
	whole := part.Truncated
	if whole == nil {
		return ""
	}
	all := counted(whole.LineCount, "line", "lines") + " (" + byteSize(whole.SizeBytes) + ")"
	if whole.Shown {
		return "The model was given this much of " + all + "."
	}
	return "This is the beginning of " + all + "; the rest is not in the library."
}

// moment returns a time as shown to users and as read by machines.
func moment(ms int64, zone *time.Location) (shown, machine string) {
	at := time.UnixMilli(ms).In(zone)
	return at.Format("2006-01-02 15:04"), at.Format(time.RFC3339)
}

// speaker returns the name of a message's speaker.
func speaker(m *core.Message) string {
	switch {
	case m.Kind == core.KindCompaction, m.Kind == core.KindBranchSummary:
		return "Summary"
	case m.Notice() != "":
		return "Notice"
	case m.Kind == core.KindMeta && m.Name == core.JoinName:
		return "Joined answers"
	case m.Kind == core.KindMeta:
		return "Context"
	case m.Kind == core.KindCommand:
		return "Command"
	case m.Name != "":
		return m.Name
	}
	return roleWord(m.Role)
}

func roleWord(role core.Role) string {
	switch role {
	case core.RoleUser:
		return "You"
	case core.RoleAssistant:
		return "Assistant"
	case core.RoleTool:
		return "Tool"
	case core.RoleSystem:
	}
	return "System"
}

// sourceName returns the usual name of the tool that a session came from.
func sourceName(source core.Source) string {
	switch source {
	case core.SourceCoppice:
		return "Coppice"
	case core.SourceClaudeCode:
		return "Claude Code"
	case core.SourceCodex:
		return "Codex"
	case core.SourceGeminiCLI:
		return "Gemini CLI"
	case core.SourceOpenCode:
		return "OpenCode"
	case core.SourcePi:
		return "pi"
	case core.SourceChatGPT:
		return "ChatGPT"
	case core.SourceClaudeAI:
		return "Claude.ai"
	case core.SourceOpenAssistant:
		return "OpenAssistant"
	case core.SourceArchitect, core.SourceAgentBase, core.SourceAgentHarness, core.SourceFuseraft, core.SourceAgentZero:
	}
	return string(source)
}
