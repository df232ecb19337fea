package fake

import (
	"encoding/json"
	"fmt"
	"net/http"

	"coppice/backend/provider/fault"
)

// Reply is one answer of the script.
type Reply struct {
	Blocks []Block
	Stop   string // empty: tool_use if it has a call, else end_turn
	Usage  Usage  // zero: 10 in, 5 out
	Fault  fault.Fault
}

// Block is one content block: its first form, and its deltas.
type Block struct {
	Signature string // of reasoning: the server accepts it only from the same model
	start     string
	deltas    []string
	call      bool
}

// Say is a reply of one text.
func Say(text string) Reply { return Reply{Blocks: []Block{Text(text)}} }

// Fail is a reply that fails: an answer with an error status.
func Fail(status int) Reply { return Reply{Fault: fault.Fault{Kind: fault.Status, Status: status}} }

// Text is a block of text that is sent in pieces.
func Text(text string) Block {
	return Block{start: `{"type":"text","text":""}`, deltas: deltas("text_delta", "text", text)}
}

// Thinking is a block of reasoning with its signature.
func Thinking(text, signature string) Block {
	return Block{
		Signature: signature,
		start:     `{"type":"thinking","thinking":"","signature":""}`,
		deltas:    append(deltas("thinking_delta", "thinking", text), delta("signature_delta", "signature", signature)),
	}
}

// Redacted is a block of reasoning that only the server can read.
func Redacted(data string) Block {
	return Block{start: fmt.Sprintf(`{"type":"redacted_thinking","data":%s}`, quoted(data))}
}

// Call is a tool call; its arguments are any text, valid JSON or not.
func Call(id, name, arguments string) Block {
	return Block{
		start:  fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, quoted(id), quoted(name)),
		deltas: deltas("input_json_delta", "partial_json", arguments),
		call:   true,
	}
}

// Raw is a block of any kind: its first form and its deltas.
func Raw(start string, deltas ...string) Block { return Block{start: start, deltas: deltas} }

// pieceLength is how many characters of a text are sent at a time.
const pieceLength = 7

func deltas(kind, field, text string) []string {
	var all []string
	for rest := []rune(text); len(rest) > 0; {
		n := min(pieceLength, len(rest))
		all = append(all, delta(kind, field, string(rest[:n])))
		rest = rest[n:]
	}
	return all
}

func delta(kind, field, text string) string {
	return fmt.Sprintf(`{"type":%s,%s:%s}`, quoted(kind), quoted(field), quoted(text))
}

func (r Reply) stop() string {
	if r.Stop != "" {
		return r.Stop
	}
	for _, b := range r.Blocks {
		if b.call {
			return "tool_use"
		}
	}
	return "end_turn"
}

// Frames returns the events of the reply as they are sent.
func (r Reply) Frames(model string) []string {
	u := r.usage()
	frames := []string{
		frame("message_start", fmt.Sprintf(`{"type":"message_start","message":{"id":"msg_fake","type":"message","role":"assistant","model":%s,"content":[],`+
			`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":1,"service_tier":"standard"}}}`,
			quoted(model+"-20260901"), u.Input, u.CacheWrite, u.CacheRead)),
		frame("ping", `{"type":"ping"}`),
	}
	for i, b := range r.Blocks {
		frames = append(frames, frame("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, b.start)))
		for _, d := range b.deltas {
			frames = append(frames, frame("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, d)))
		}
		frames = append(frames, frame("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i)))
	}
	return append(frames,
		frame("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%s,"stop_sequence":null},"usage":{"output_tokens":%d}}`, quoted(r.stop()), u.Output)),
		frame("message_stop", `{"type":"message_stop"}`))
}

func (r Reply) usage() Usage {
	if r.Usage == (Usage{}) {
		return Usage{Input: 10, Output: 5}
	}
	return r.Usage
}

func frame(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

// refusal returns the fault with the body that the real server sends with its status.
func (r Reply) refusal() fault.Fault {
	f := r.Fault
	if f.Body != "" {
		return f
	}
	kind := "api_error"
	switch f.Status {
	case http.StatusBadRequest:
		kind = "invalid_request_error"
	case http.StatusUnauthorized:
		kind = "authentication_error"
	case http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case 529:
		kind = "overloaded_error"
	}
	body, _ := json.Marshal(map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": http.StatusText(f.Status)}}) // texts have a JSON form
	f.Body = string(body)
	return f
}
