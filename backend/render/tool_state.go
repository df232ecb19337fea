package render

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
)

// denials lists what tools report in place of a result when the user or a rule denied permission; compared in lower
// case, in the first denialReach bytes.
func denials() []string {
	return []string{
		"the user doesn't want to proceed", "the user doesn't want to take this action", "tool use was rejected", "rejected by user",
		"rejected by the user", "user rejected", "user denied", "denied by the user", "denied by user", "permission to use",
		"permission denied by", "cancelled by the user", "cancelled by user", "canceled by user", "user cancelled", "user canceled",
		"user has declined", "declined by the user", "requires approval",
	}
}

// interruptions lists what tools report in place of a result when a call was stopped; compared as denials.
func interruptions() []string {
	return []string{
		"request interrupted by user", "interrupted by the user", "interrupted by user", "aborted by user", "aborted by the user",
		"command was interrupted", "tool execution aborted", "operation was aborted", "stopped by the user",
	}
}

const denialReach = 400

// stateOf returns the state of a call. result is nil if it is missing.
func stateOf(call, result *core.Part) ToolState {
	if result == nil {
		if call.Server {
			return ToolDone // the provider ran it and sends no result
		}
		return ToolMissing
	}
	if !result.IsError {
		return ToolDone
	}
	text := resultText(result, denialReach)
	text = strings.ToLower(text)
	if gjson.GetBytes(result.Structured, "interrupted").Bool() {
		return ToolInterrupted
	}
	for _, interruption := range interruptions() {
		if strings.Contains(text, interruption) {
			return ToolInterrupted
		}
	}
	for _, denial := range denials() {
		if strings.Contains(text, denial) {
			return ToolDenied
		}
	}
	return ToolFailed
}

// resultText joins the texts of a result, up to about limit bytes.
func resultText(result *core.Part, limit int) string {
	var out strings.Builder
	for i := range result.Result {
		if p := &result.Result[i]; p.Type == core.PartText {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(p.Text[:min(len(p.Text), limit)])
		}
		if out.Len() >= limit {
			break
		}
	}
	if out.Len() == 0 {
		out.WriteString(result.Text[:min(len(result.Text), limit)])
	}
	return out.String()
}
