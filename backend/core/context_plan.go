package core

// ContextPlan is when and how the context of a run is compacted. It is part of the state of a run. A trigger of 0 is off; if
// several are set, the first one that is due starts a compaction.
type ContextPlan struct {
	Strategy CompactionStrategy `json:"strategy"`

	TriggerMessages int64 `json:"triggerMessages,omitempty"` // more messages than this, the system prompt included
	TriggerBytes    int64 `json:"triggerBytes,omitempty"`    // more bytes of content than this
	TriggerTokens   int64 `json:"triggerTokens,omitempty"`   // more tokens than this
	TriggerTurns    int64 `json:"triggerTurns,omitempty"`    // at least so many turns
	TriggerPercent  int64 `json:"triggerPercent,omitempty"`  // at least this share of the model's context window

	KeepMessages int64 `json:"keepMessages,omitempty"` // the newest messages, which stay as they are
	KeepTurns    int64 `json:"keepTurns,omitempty"`    // the newest turns, which stay as they are

	Model string `json:"model,omitempty"` // PROVIDER/MODEL that writes the summaries of CompactLLM; empty: the run's model
}
