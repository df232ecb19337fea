package claudecode

import "coppice/backend/importer/jsonl"

// keepRecord reports whether a record that is not a message is stored beside the messages, and whether this version
// knows its meaning. Unknown records are stored; records that only serve the tool are not.
func keepRecord(r *record) (keep, known bool) {
	switch r.kind {
	case "summary", "custom-title", "ai-title", "agent-name", "agent-setting", "pr-link", "frame-link", "relocated", "worktree-state", "result":
		return true, true
	case "progress", "queue-operation", "file-history-snapshot", "file-history-delta", "last-prompt", "mode", "permission-mode",
		"atis-latch", "bridge-session", "cost-state", "started":
		return false, true
	case "system":
		return keepSystem(r.subtype)
	case "attachment":
		return keepAttachment(jsonl.Text(r.attachment.Get("type")))
	default:
		return true, false
	}
}

func keepSystem(subtype string) (keep, known bool) {
	switch subtype {
	case "api_error", "error", "api_refusal", "model_refusal_fallback", "informational", "local_command", "away_summary",
		"compact_boundary", "microcompact_boundary":
		return true, true
	case "turn_duration", "stop_hook_summary", "session_start":
		return false, true
	default:
		return true, false
	}
}

// keepAttachment keeps attachments that add to the conversation, and drops reminders to the model.
func keepAttachment(kind string) (keep, known bool) {
	switch kind {
	case "compact_file_reference", "directory", "edited_text_file", "file", "hook_additional_context", "hook_blocking_error",
		"hook_non_blocking_error", "invoked_skills", "nested_memory", "plan_mode", "plan_mode_exit", "queued_command",
		"selected_lines_in_ide", "opened_file_in_ide", "task_status":
		return true, true
	case "agent_listing_delta", "auto_mode", "batching_reminder_sent", "budget_usd", "command_permissions", "date_change",
		"deferred_tools_delta", "dynamic_skill", "environment", "hook_success", "mcp_instructions_delta", "prompt_snapshot",
		"read_truncation_notice", "session_context", "silent_turn_reminder", "skill_listing", "task_reminder", "todo_reminder",
		"total_tokens_reminder", "ultra_effort_enter", "ultra_effort_exit":
		return false, true
	default:
		return true, false
	}
}

// recordName is the type of a record with its subtype.
func recordName(r *record) string {
	switch {
	case r.kind == "attachment":
		return "attachment/" + jsonl.Text(r.attachment.Get("type"))
	case r.subtype != "":
		return r.kind + "/" + r.subtype
	default:
		return r.kind
	}
}
