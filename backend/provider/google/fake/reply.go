package fake

import (
	"fmt"
	"net/http"
	"strings"

	"coppice/backend/provider/fault"
)

// Reply is one answer of the script.
type Reply struct {
	Parts   []Part
	Finish  string // empty: STOP
	Message string // sent with the finish reason
	Block   string // why the prompt is blocked; then nothing else is sent
	Usage   Usage  // zero: 10 in, 5 out
	Fault   fault.Fault
}

// Part is one part, sent in one or several responses.
type Part struct {
	Signature string // the server accepts it only from the same model
	pieces    []string
}

// Say is a reply of one text.
func Say(text string) Reply { return Reply{Parts: []Part{Text(text)}} }

// Fail is a reply that fails: an answer with an error status.
func Fail(status int) Reply { return Reply{Fault: fault.Fault{Kind: fault.Status, Status: status}} }

// Text is a text that is sent in pieces.
func Text(text string) Part { return Part{pieces: pieces(text, "")} }

// Thought is reasoning that is sent in pieces.
func Thought(text string) Part { return Part{pieces: pieces(text, `,"thought":true`)} }

// Signed is a text, or nothing, with a signature.
func Signed(text, signature string) Part {
	return Part{Signature: signature, pieces: []string{fmt.Sprintf(`{"text":%s,"thoughtSignature":%s}`, quoted(text), quoted(signature))}}
}

// Call is a function call. The id and the signature may be empty; the arguments are JSON.
func Call(id, name, arguments, signature string) Part {
	fields := `"name":` + quoted(name) + `,"args":` + arguments
	if id != "" {
		fields = `"id":` + quoted(id) + "," + fields
	}
	p := `{"functionCall":{` + fields + "}"
	if signature != "" {
		p += `,"thoughtSignature":` + quoted(signature)
	}
	return Part{Signature: signature, pieces: []string{p + "}"}}
}

// Raw is a part of any kind.
func Raw(part string) Part { return Part{pieces: []string{part}} }

// pieceLength is how many characters of a text are sent at a time.
const pieceLength = 9

func pieces(text, more string) []string {
	var all []string
	for rest := []rune(text); len(rest) > 0; {
		n := min(pieceLength, len(rest))
		all = append(all, `{"text":`+quoted(string(rest[:n]))+more+"}")
		rest = rest[n:]
	}
	return all
}

// Events returns the events of the reply as they are sent; n makes the ids of one answer differ from those of another.
func (r Reply) Events(model string, n int) []string {
	u := r.usage()
	tail := fmt.Sprintf(`"usageMetadata":{"promptTokenCount":%d,"cachedContentTokenCount":%d,"candidatesTokenCount":%d,"thoughtsTokenCount":%d,"totalTokenCount":%d},`+
		`"modelVersion":%s,"responseId":%s`, u.Prompt, u.Cached, u.Candidates, u.Thoughts, u.Prompt+u.Candidates+u.Thoughts, quoted(model+"-001"), quoted(fmt.Sprintf("resp_%06d", n)))
	begun := strings.Replace(tail, fmt.Sprintf(`"candidatesTokenCount":%d,`, u.Candidates), "", 1)
	if r.Block != "" {
		return []string{event(fmt.Sprintf(`{"promptFeedback":{"blockReason":%s},%s}`, quoted(r.Block), tail))}
	}
	var parts []string
	for _, p := range r.Parts {
		parts = append(parts, p.pieces...)
	}
	var events []string
	for _, p := range parts {
		events = append(events, event(fmt.Sprintf(`{"candidates":[{"content":{"parts":[%s],"role":"model"},"index":0}],%s}`, p, begun)))
	}
	finish := r.Finish
	if finish == "" {
		finish = "STOP"
	}
	last := `"finishReason":` + quoted(finish)
	if r.Message != "" {
		last += `,"finishMessage":` + quoted(r.Message)
	}
	return append(events, event(fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},%s,"index":0}],%s}`, last, tail)))
}

func (r Reply) usage() Usage {
	if r.Usage == (Usage{}) {
		return Usage{Prompt: 10, Candidates: 5}
	}
	return r.Usage
}

func event(data string) string { return "data: " + data + "\r\n\r\n" }

// refusal returns the fault with the body that the real server sends with its status.
func (r Reply) refusal() fault.Fault {
	f := r.Fault
	if f.Body != "" {
		return f
	}
	kind := "INTERNAL"
	switch f.Status {
	case http.StatusBadRequest:
		kind = "INVALID_ARGUMENT"
	case http.StatusForbidden:
		kind = "PERMISSION_DENIED"
	case http.StatusTooManyRequests:
		kind = "RESOURCE_EXHAUSTED"
	case http.StatusServiceUnavailable:
		kind = "UNAVAILABLE"
	}
	f.Body = fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":%s}}`, f.Status, quoted(http.StatusText(f.Status)), quoted(kind))
	return f
}
