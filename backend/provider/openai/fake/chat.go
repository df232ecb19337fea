package fake

import (
	"encoding/json"
	"maps"
)

// chat returns the events of a chat completion.
func (a Answer) chat(c call) []string {
	w := chatWriter{model: c.Model + "-2026-01-01", usage: c.StreamOptions.IncludeUsage}
	w.delta(object{"role": "assistant", "content": "", "refusal": nil}, nil)
	for _, text := range a.deltas(a.Reasoning) {
		w.delta(object{"reasoning_content": text}, nil)
	}
	for _, text := range a.deltas(a.Text) {
		w.delta(object{"content": text}, nil)
	}
	for _, text := range a.deltas(a.Refusal) {
		w.delta(object{"refusal": text}, nil)
	}
	for i, call := range a.Calls {
		head := object{"index": i, "id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": ""}}
		maps.Copy(head, call.Extra)
		w.delta(object{"tool_calls": []object{head}}, nil)
		for _, text := range a.deltas(call.Arguments) {
			w.delta(object{"tool_calls": []object{{"index": i, "function": object{"arguments": text}}}}, nil)
		}
	}
	w.delta(object{}, a.finish())
	if w.usage {
		w.chunk([]object{}, a.chatUsage(c))
	}
	return append(w.events, "data: [DONE]\n\n")
}

func (a Answer) finish() string {
	switch {
	case a.Finish != "":
		return a.Finish
	case len(a.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (a Answer) chatUsage(c call) object {
	usage := object{
		"prompt_tokens":             c.usage.InputTokens,
		"completion_tokens":         c.usage.OutputTokens,
		"total_tokens":              c.usage.InputTokens + c.usage.OutputTokens,
		"prompt_tokens_details":     object{"cached_tokens": c.usage.CacheReadTokens, "cache_write_tokens": c.usage.CacheWriteTokens, "audio_tokens": 0},
		"completion_tokens_details": object{"reasoning_tokens": c.usage.ReasoningTokens, "audio_tokens": 0},
	}
	if a.Cost != "" {
		usage["cost"] = json.RawMessage(a.Cost)
	}
	return usage
}

type chatWriter struct {
	model  string
	usage  bool
	events []string
}

func (w *chatWriter) delta(delta object, finish any) {
	w.chunk([]object{{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": finish}}, nil)
}

func (w *chatWriter) chunk(choices []object, usage any) {
	chunk := object{
		"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1760000000, "model": w.model,
		"service_tier": "default", "system_fingerprint": "fp_fake", "choices": choices,
	}
	if w.usage {
		chunk["usage"] = usage
	}
	w.events = append(w.events, "data: "+encode(chunk)+"\n\n")
}
