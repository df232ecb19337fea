package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/jsontext"
)

// resultPart reads the result of a tool call as the model received it.
func (b *builder) resultPart(r *record, i int32) core.Part {
	p := core.Part{Type: core.PartToolResult, ID: b.idOf(r, i)}
	if p.Name = b.names.text(b.entries.At(i).tool); p.Name == "" {
		p.Name = jsonl.Text(r.payload.Get("name"))
	}
	output := r.payload.Get("output")
	for _, key := range []string{"result", "tools"} {
		if !output.Exists() {
			output = r.payload.Get(key)
		}
	}
	p.Result, p.Structured = outputParts(output)
	if ok := r.payload.Get("success"); ok.Type == gjson.False {
		p.IsError = true
	}
	for _, code := range []gjson.Result{output.Get("exitCode"), gjson.GetBytes(p.Structured, "exit_code")} {
		p.IsError = p.IsError || code.Type == gjson.Number && code.Num != 0
	}
	return p
}

// outputParts reads an output: text, blocks, one block, or data. A shell's output of older versions is JSON in a string.
func outputParts(v gjson.Result) (parts []core.Part, data []byte) {
	switch {
	case v.Type == gjson.String:
		words := jsonl.Text(v)
		if strings.HasPrefix(words, `{"output":`) && strings.HasSuffix(words, "}") && jsontext.Check([]byte(words)) == "" {
			inner := gjson.Parse(words)
			return textPart(inner.Get("output").String()), jsonl.Raw(inner.Get("metadata"))
		}
		return textPart(words), nil
	case v.IsArray():
		plain := true
		jsonl.Each(v, func(_ string, block gjson.Result) bool {
			p, ok := blockPart(block)
			plain = plain && (!ok || p.Type != core.PartOther)
			if ok {
				parts = append(parts, p)
			}
			return true
		})
		if !plain {
			return nil, jsonl.Raw(v)
		}
		return parts, nil
	case v.IsObject():
		if p, ok := blockPart(v); ok && p.Type != core.PartOther {
			return []core.Part{p}, nil
		}
		if content := v.Get("content"); content.Exists() {
			parts, _ = outputParts(content)
			return parts, nil
		}
		if out := v.Get("stdout"); out.Exists() {
			return textPart(strings.TrimSuffix(jsonl.Text(out)+"\n"+jsonl.Text(v.Get("stderr")), "\n")), jsonl.Raw(v)
		}
		return nil, jsonl.Raw(v)
	default:
		return nil, jsonl.Raw(v)
	}
}

func textPart(words string) []core.Part {
	if words == "" {
		return nil
	}
	return []core.Part{{Type: core.PartText, Text: words}}
}

// repeated are the fields of an outcome that only repeat the output, up to three times.
var repeated = []string{
	"type", "call_id", "callId", "id", "stdout", "stderr", "aggregated_output", "formatted_output", "result", "results", "content_items", "duration", "turn_id",
}

// enrich adds what an outcome for the screen records beside the output: how long it took, whether it failed, what it
// changed.
func enrich(p *core.Part, shown *record) {
	o := outcome(shown)
	p.DurationMs = durationMs(o.Get("duration"))
	p.IsError = p.IsError || failed(o)
	if p.Structured == nil {
		p.Structured = without(o, repeated...)
	}
}

// outcome returns what a record for the screen holds of a tool.
func outcome(shown *record) gjson.Result {
	if item := shown.payload.Get("item"); item.IsObject() {
		return item
	}
	return shown.payload
}

// durationMs reads seconds and nanoseconds.
func durationMs(v gjson.Result) int64 {
	secs, nanos := v.Get("secs").Int(), v.Get("nanos").Int()
	if secs < 0 || nanos < 0 || secs > 1<<32 || nanos > 1<<32 {
		return 0
	}
	return secs*1000 + nanos/1e6
}

func failed(o gjson.Result) bool {
	if status := jsonl.Text(o.Get("status")); status == "failed" || status == "declined" {
		return true
	}
	if code := o.Get("exit_code"); code.Type == gjson.Number && code.Num != 0 {
		return true
	}
	return o.Get("success").Type == gjson.False || o.Get("result.Err").Exists() || o.Get("result.isError").Bool() || o.Get("result.Ok.isError").Bool()
}

// shownCall reads a tool call that is recorded only for the screen, such as a call by another tool.
func shownCall(r *record) core.Part {
	o := outcome(r)
	p := core.Part{Type: core.PartToolCall, ID: callID(r), Name: shownName(r)}
	for _, path := range []string{"invocation.arguments", "arguments", "action", "changes"} {
		if v := o.Get(path); v.IsObject() {
			p.Arguments = jsonl.Raw(v)
			return p
		}
	}
	p.Arguments = pick(o, "command", "cwd", "query", "path", "revised_prompt", "revisedPrompt")
	return p
}

// pick returns some fields of an object.
func pick(o gjson.Result, keys ...string) []byte {
	var some jsonl.Fields
	for _, key := range keys {
		if v := o.Get(key); !jsonl.Empty(v) {
			some.Set(key, jsonl.Raw(v))
		}
	}
	return some.JSON()
}

// shownName returns the name of a tool on the screen.
func shownName(r *record) string {
	o := outcome(r)
	server, tool := jsonl.Text(o.Get("server")), jsonl.Text(o.Get("tool"))
	if call := o.Get("invocation"); call.IsObject() {
		server, tool = jsonl.Text(call.Get("server")), jsonl.Text(call.Get("tool"))
	}
	if tool != "" {
		return strings.TrimPrefix(server+"."+tool, ".")
	}
	switch name := jsonl.Text(o.Get("type")); name {
	case "exec_command_end", "CommandExecution":
		return "exec_command"
	case "patch_apply_end", "FileChange":
		return "apply_patch"
	case "web_search_end", "WebSearch":
		return webSearch
	case "image_generation_end", "ImageGeneration":
		return "image_generation"
	case "view_image_tool_call", "ImageView":
		return "view_image"
	case "Extension":
		if kind := jsonl.Text(o.Get("kind")); kind != "" {
			return kind
		}
		return "extension"
	default:
		return name
	}
}

const webSearch = "web_search"

// shownResult reads the result of such a call.
func shownResult(r *record) core.Part {
	o := outcome(r)
	p := core.Part{Type: core.PartToolResult, ID: callID(r), Name: shownName(r), DurationMs: durationMs(o.Get("duration")), IsError: failed(o)}
	for _, path := range []string{"aggregated_output", "formatted_output", "stdout"} {
		if words := jsonl.Text(o.Get(path)); words != "" {
			p.Result = textPart(words)
			p.Structured = without(o, repeated...)
			return p
		}
	}
	for _, path := range []string{"result.Ok.content", "result.content", "content_items", "results", "result"} {
		if v := o.Get(path); !jsonl.Empty(v) {
			p.Result, p.Structured = outputParts(v)
			return p
		}
	}
	p.Result = append(textPart(jsonl.Text(o.Get("stderr"))), textPart(jsonl.Text(o.Get("error")))...)
	return p
}

// shownParts reads a message that is recorded only for the screen.
func shownParts(r *record) []core.Part {
	if item := r.payload.Get("item"); item.IsObject() {
		return contentParts(item)
	}
	parts := textPart(shownText(r))
	jsonl.Each(r.payload.Get("images"), func(_ string, v gjson.Result) bool {
		if p, ok := urlPart(jsonl.Text(v), v); ok {
			parts = append(parts, p)
		}
		return true
	})
	return parts
}
