package anthropic

import (
	"encoding/json"
	"maps"

	"coppice/backend/core"
)

// usage holds the server's counts: at the start of an answer, then what has changed at its end.
type usage map[string]json.RawMessage

// with returns the usage with the newer counts of another.
func (u usage) with(newer usage) usage {
	merged := usage{}
	maps.Copy(merged, u)
	for name, value := range newer {
		if string(value) != "null" {
			merged[name] = value
		}
	}
	return merged
}

// neutral returns the usage as core.Usage: the protocol counts cache reads and writes apart from the input. It is nil
// if nothing was counted.
func (u usage) neutral() *core.Usage {
	if len(u) == 0 {
		return nil
	}
	read, written := u.count("cache_read_input_tokens"), u.count("cache_creation_input_tokens")
	n := &core.Usage{
		InputTokens:      u.count("input_tokens") + read + written,
		OutputTokens:     u.count("output_tokens"),
		CacheReadTokens:  read,
		CacheWriteTokens: written,
		Native:           encoded(u),
	}
	var details struct {
		Thinking int64 `json:"thinking_tokens"`
	}
	if json.Unmarshal(u["output_tokens_details"], &details) == nil {
		n.ReasoningTokens = min(details.Thinking, n.OutputTokens)
	}
	return n
}

func (u usage) count(name string) int64 {
	var n int64
	if json.Unmarshal(u[name], &n) != nil {
		return 0
	}
	return n
}
