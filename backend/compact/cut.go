package compact

import (
	"slices"

	"coppice/backend/core"
)

// cuts returns the positions before which messages may be cut, in order: before a message of the user or the model, where no
// call is separated from its result. 0 and the end are not among them.
func cuts(messages []core.Message) []int {
	var allowed []int
	bound := 0 // the results of the calls before are before it
	for i := range messages {
		if i > 0 && i >= bound && opens(&messages[i]) {
			allowed = append(allowed, i)
		}
		if end := resultsEnd(messages, i); end > bound {
			bound = end
		}
	}
	return allowed
}

// opens reports whether a context may begin with a message.
func opens(m *core.Message) bool {
	if m.Role != core.RoleUser && m.Role != core.RoleAssistant {
		return false
	}
	return !slices.ContainsFunc(m.Parts, func(p core.Part) bool { return p.Type == core.PartToolResult })
}

// resultsEnd returns the position after the last result of the calls of a message; 0 if it has no calls. Their results are looked for up to
// the next finished answer, as the engine does.
func resultsEnd(messages []core.Message, at int) int {
	calls := map[string]bool{}
	for i := range messages[at].Parts {
		if p := &messages[at].Parts[i]; p.Type == core.PartToolCall && messages[at].Role == core.RoleAssistant {
			calls[p.ID] = true
		}
	}
	end := 0
	for i := at + 1; i < len(messages) && len(calls) > 0; i++ {
		if messages[i].Role == core.RoleAssistant && messages[i].FinishReason != core.FinishAborted {
			break
		}
		for j := range messages[i].Parts {
			if p := &messages[i].Parts[j]; p.Type == core.PartToolResult && calls[p.ID] {
				end = i + 1
			}
		}
	}
	return end
}

// firstFrom returns the first allowed cut at or after a position; the last one if none is; 0 without cuts.
func firstFrom(allowed []int, at int) int {
	if len(allowed) == 0 {
		return 0
	}
	for _, cut := range allowed {
		if cut >= at {
			return cut
		}
	}
	return allowed[len(allowed)-1]
}

// turnStart returns the position of the nth newest prompt, from 1; 0 if there are fewer.
func turnStart(messages []core.Message, n int64) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].IsPrompt() {
			if n--; n == 0 {
				return i
			}
		}
	}
	return 0
}

// tailStart returns the first position from which the messages have at most so many tokens.
func tailStart(messages []core.Message, tokens int64) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if tokens -= SizeOf(messages[i : i+1]).Tokens; tokens < 0 {
			return i + 1
		}
	}
	return 0
}
