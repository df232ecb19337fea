package fake

import (
	"fmt"
	"slices"
)

// responses returns the events of a response.
func (a Answer) responses(c call) []string {
	w := responseWriter{model: c.Model + "-2026-01-01", output: []object{}}
	w.event("response.created", object{"response": w.response("in_progress")})
	w.event("response.in_progress", object{"response": w.response("in_progress")})
	if a.Reasoning != "" {
		w.reasoning(a, slices.Contains(c.Include, "reasoning.encrypted_content"))
	}
	if a.Text != "" {
		w.message(a, "output_text", "text", a.Text)
	}
	if a.Refusal != "" {
		w.message(a, "refusal", "refusal", a.Refusal)
	}
	for i, call := range a.Calls {
		w.call(a, call, a.Finish == "length" && i == len(a.Calls)-1)
	}
	status, end := "completed", "response.completed"
	var details any
	switch a.Finish {
	case "length":
		status, details = "incomplete", object{"reason": "max_output_tokens"}
	case "content_filter":
		status, details = "incomplete", object{"reason": "content_filter"}
	}
	if status != "completed" {
		end = "response.incomplete"
	}
	response := w.response(status)
	response["incomplete_details"] = details
	response["usage"] = object{
		"input_tokens":          c.usage.InputTokens,
		"input_tokens_details":  object{"cached_tokens": c.usage.CacheReadTokens, "cache_write_tokens": c.usage.CacheWriteTokens},
		"output_tokens":         c.usage.OutputTokens,
		"output_tokens_details": object{"reasoning_tokens": c.usage.ReasoningTokens},
		"total_tokens":          c.usage.InputTokens + c.usage.OutputTokens,
	}
	w.event(end, object{"response": response})
	return w.events
}

type responseWriter struct {
	model  string
	output []object
	events []string
}

func (w *responseWriter) event(kind string, fields object) {
	fields["type"], fields["sequence_number"] = kind, len(w.events)
	w.events = append(w.events, "event: "+kind+"\ndata: "+encode(fields)+"\n\n")
}

func (w *responseWriter) response(status string) object {
	return object{
		"id": "resp_fake", "object": "response", "created_at": 1760000000, "status": status, "error": nil, "incomplete_details": nil,
		"model": w.model, "output": w.output, "store": false, "usage": nil,
	}
}

// item writes the head of an item, what body writes, and the complete item.
func (w *responseWriter) item(head, whole object, body func(at object)) {
	index := len(w.output)
	w.event("response.output_item.added", object{"output_index": index, "item": head})
	body(object{"output_index": index, "item_id": whole["id"]})
	w.event("response.output_item.done", object{"output_index": index, "item": whole})
	w.output = append(w.output, whole)
}

// with returns the fields of both objects.
func with(at, fields object) object {
	for name, value := range at {
		fields[name] = value
	}
	return fields
}

func (w *responseWriter) reasoning(a Answer, seal bool) {
	id := fmt.Sprintf("rs_fake%d", len(w.output))
	part := object{"type": "summary_text", "text": a.Reasoning}
	whole := object{"id": id, "type": "reasoning", "summary": []object{part}}
	if seal {
		whole["encrypted_content"] = sealed(a.Reasoning)
	}
	w.item(object{"id": id, "type": "reasoning", "summary": []object{}}, whole, func(at object) {
		w.event("response.reasoning_summary_part.added", with(at, object{"summary_index": 0, "part": object{"type": "summary_text", "text": ""}}))
		for _, text := range a.deltas(a.Reasoning) {
			w.event("response.reasoning_summary_text.delta", with(at, object{"summary_index": 0, "delta": text}))
		}
		w.event("response.reasoning_summary_text.done", with(at, object{"summary_index": 0, "text": a.Reasoning}))
		w.event("response.reasoning_summary_part.done", with(at, object{"summary_index": 0, "part": part}))
	})
}

// message writes a message with one content; field is the field of its text.
func (w *responseWriter) message(a Answer, kind, field, text string) {
	id := fmt.Sprintf("msg_fake%d", len(w.output))
	content := object{"type": kind, field: text}
	if kind == "output_text" {
		content["annotations"], content["logprobs"] = []object{}, []object{}
	}
	head := object{"id": id, "type": "message", "status": "in_progress", "role": "assistant", "content": []object{}}
	whole := object{"id": id, "type": "message", "status": "completed", "role": "assistant", "content": []object{content}}
	w.item(head, whole, func(at object) {
		w.event("response.content_part.added", with(at, object{"content_index": 0, "part": object{"type": kind, field: ""}}))
		for _, delta := range a.deltas(text) {
			w.event("response."+kind+".delta", with(at, object{"content_index": 0, "delta": delta}))
		}
		w.event("response."+kind+".done", with(at, object{"content_index": 0, field: text}))
		w.event("response.content_part.done", with(at, object{"content_index": 0, "part": content}))
	})
}

func (w *responseWriter) call(a Answer, c Call, cut bool) {
	item := func(status, arguments string) object {
		return object{
			"id": fmt.Sprintf("fc_fake%d", len(w.output)), "type": "function_call", "status": status,
			"call_id": c.ID, "name": c.Name, "arguments": arguments,
		}
	}
	status := "completed"
	if cut {
		status = "incomplete"
	}
	w.item(item("in_progress", ""), item(status, c.Arguments), func(at object) {
		for _, text := range a.deltas(c.Arguments) {
			w.event("response.function_call_arguments.delta", with(at, object{"delta": text}))
		}
		w.event("response.function_call_arguments.done", with(at, object{"arguments": c.Arguments}))
	})
}
