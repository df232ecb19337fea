package codex

// keepRecord reports whether a record that is not a message is stored beside the messages, and whether this version
// knows its meaning. Unknown records are stored; records that only serve Codex are not.
func keepRecord(r *record) (keep, known bool) {
	switch r.kind {
	case "session_meta", "turn_context", "world_state", "record_type/state", "inter_agent_communication_metadata":
		return false, true
	case "response_item":
		return keepItem(r.sub)
	case "event_msg":
		return keepEvent(r.sub)
	default:
		return true, false
	}
}

func keepItem(sub string) (keep, known bool) {
	switch sub {
	case "ghost_snapshot", "additional_tools", "compaction_trigger":
		return false, true
	default:
		return true, false
	}
}

// keepEvent keeps events that add to the conversation.
func keepEvent(sub string) (keep, known bool) {
	switch sub {
	case "turn_aborted", "error", "warning", "thread_goal_updated", "thread_name_updated", "entered_review_mode", "exited_review_mode",
		"undo_completed", "task_complete", "turn_complete", "guardian_assessment", "sub_agent_activity", "collab_agent_spawn_end",
		"collab_agent_interaction_end", "collab_waiting_end", "collab_close_end", "collab_resume_end", "item_completed", "plan_update",
		"stream_error", "dynamic_tool_call_request":
		return true, true
	case "token_count", "context_compacted", "session_configured", "agent_reasoning_section_break", "task_started", "turn_started":
		return false, true
	default:
		return true, false
	}
}

// recordName is the type of a record with that of its payload.
func recordName(r *record) string {
	if r.sub == "" || r.kind == r.sub {
		return r.kind
	}
	return r.kind + "/" + r.sub
}
