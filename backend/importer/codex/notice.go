package codex

import (
	"cmp"

	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/twopass"
)

// noticeOf returns the line for an event that the user must know of, such as an error that left a prompt without an answer, and the
// reason alone; empty for other records.
func noticeOf(r *record) (text, reason string) {
	if r.kind != "event_msg" {
		return "", ""
	}
	switch r.sub {
	case "task_complete", "turn_complete", "error", "stream_error":
		failure := r.payload.Get("error")
		reason = cmp.Or(jsonl.Text(failure.Get("message")), jsonl.Text(failure))
		if r.sub == "error" || r.sub == "stream_error" {
			reason = cmp.Or(jsonl.Text(r.payload.Get("message")), reason, "no reason given")
		}
		if reason != "" {
			text = "The tool reported an error: " + reason
		}
	case "turn_aborted":
		reason = cmp.Or(jsonl.Text(r.payload.Get("reason")), "no reason given")
		text = "The turn was aborted: " + reason
	}
	return text, reason
}

// isEmpty reports whether there are no messages: errors alone are not a session.
func (s *skeleton) isEmpty() bool {
	for n := int32(1); n < s.nodes.Len(); n++ {
		if s.nodes.At(n).class != notice {
			return false
		}
	}
	return true
}

// notice adds an event that becomes a line of the conversation. Codex reports an error twice: when it happens and when the turn ends.
func (s *skeleton) notice(r *record, at twopass.Position, timeMs int64) {
	text, _ := noticeOf(r)
	key := hash(text)
	if text == "" || key == s.turn.notice {
		return
	}
	s.turn.notice = key
	s.entries.Add(entry{Position: at, class: notice, setting: s.setting(timeMs), key: key})
}
