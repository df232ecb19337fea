package codex

import (
	"bytes"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"coppice/backend/importer/jsonl"
)

// magic is the beginning of a zstd frame, RFC 8878 3.1.1.
var magic = []byte{0x28, 0xB5, 0x2F, 0xFD}

// sniff looks for one record of Codex among the first lines.
func sniff(_ string, head []byte) bool {
	if bytes.HasPrefix(head, magic) {
		head = inflate(head)
	}
	if isWholeFile(head) {
		return true
	}
	return jsonl.AnyRecord(head, isOurs, looksOurs)
}

// inflate returns the unpacked beginning of a compressed file.
func inflate(head []byte) []byte {
	z, err := zstd.NewReader(bytes.NewReader(head), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil
	}
	defer z.Close()
	out, _ := io.ReadAll(io.LimitReader(z, 64<<10)) // it ends in the middle of a frame
	return out
}

// isOurs reports whether only Codex writes such a record.
func isOurs(r gjson.Result) bool {
	kind := jsonl.Text(r.Get("type"))
	payload := r.Get("payload")
	switch kind {
	case "session_meta", "turn_context":
		return payload.IsObject() && payload.Get("cwd").Exists() || payload.Get("id").Exists()
	case "response_item", "event_msg", "compacted", "world_state":
		return payload.IsObject()
	}
	return isOldMeta(r) || isOldMessage(r) || isOldState(r)
}

// isOldMeta recognises the first line of versions before 0.30.
func isOldMeta(r gjson.Result) bool {
	return !r.Get("type").Exists() && r.Get("id").Type == gjson.String && r.Get("timestamp").Type == gjson.String && r.Get("instructions").Exists()
}

// isOldState recognises a line that those versions put between the items.
func isOldState(r gjson.Result) bool { return jsonl.Text(r.Get("record_type")) == "state" }

// isOldMessage recognises a message of a version that wrote items without an envelope.
func isOldMessage(r gjson.Result) bool {
	role := jsonl.Text(r.Get("role"))
	if role != "user" && role != "assistant" || r.Get("uuid").Exists() || r.Get("sessionId").Exists() {
		return false
	}
	if jsonl.Text(r.Get("type")) == "message" {
		kind := jsonl.Text(r.Get("content.0.type"))
		return kind == "input_text" || kind == "output_text"
	}
	dated := r.Get("timestamp").Type == gjson.String || r.Get("created_at").Type == gjson.String
	return dated && !r.Get("id").Exists() && !r.Get("type").Exists() &&
		(r.Get("content").Type == gjson.String || r.Get("message").Type == gjson.String)
}

// looksOurs judges a line that is damaged, or too long to be read whole.
func looksOurs(l []byte) bool {
	return bytes.Contains(l, []byte(`"payload":`)) && (bytes.Contains(l, []byte(`"type":"session_meta"`)) ||
		bytes.Contains(l, []byte(`"type":"response_item"`)) || bytes.Contains(l, []byte(`"type":"event_msg"`)))
}

// isWholeFile recognises the files of the first versions: one object with a session and its items.
func isWholeFile(head []byte) bool {
	start := strings.Join(strings.Fields(string(head)), "")
	return strings.HasPrefix(start, `{"session":{`) && (strings.Contains(start, `"items":[`) || strings.Contains(start, `"instructions":`))
}
