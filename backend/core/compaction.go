package core

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// CompactionStrategy is how the old part of a context is replaced by a summary.
type CompactionStrategy string

// The strategies.
const (
	CompactNone       CompactionStrategy = "none"        // the context is never compacted
	CompactSimple     CompactionStrategy = "simple"      // previews of a fixed length
	CompactCodeAware  CompactionStrategy = "code-aware"  // previews, and fenced code verbatim
	CompactRoleBudget CompactionStrategy = "role-budget" // the newest texts of each role, within a budget per role
	CompactLLM        CompactionStrategy = "llm"         // written by a model
	CompactWindow     CompactionStrategy = "window"      // the oldest turns are left out
	// CompactAuto is the default. A model writes the summaries once its context window fills. Without a known window that would be too late,
	// and scripts write no summaries: there the context is compacted without a model.
	CompactAuto CompactionStrategy = "auto"
	// CompactBlanking is the strategy of a compaction that only removed old tool output. It cannot be chosen: it is the first stage of
	// all others.
	CompactBlanking CompactionStrategy = "blanking"
)

// CompactionStrategies lists the strategies that can be chosen.
func CompactionStrategies() []CompactionStrategy {
	return []CompactionStrategy{CompactAuto, CompactSimple, CompactCodeAware, CompactRoleBudget, CompactLLM, CompactWindow, CompactNone}
}

// CompactionSettings are a ContextPlan as it is configured. A value that is nil or empty is the default of the strategy.
type CompactionSettings struct {
	Strategy      CompactionStrategy `json:"strategy,omitempty"`
	Messages      *int64             `json:"messages,omitempty"`
	Bytes         *int64             `json:"bytes,omitempty"`
	Tokens        *int64             `json:"tokens,omitempty"`
	Turns         *int64             `json:"turns,omitempty"`
	WindowPercent *int64             `json:"windowPercent,omitempty"`
	KeepMessages  *int64             `json:"keepMessages,omitempty"`
	KeepTurns     *int64             `json:"keepTurns,omitempty"`
	Model         string             `json:"model,omitempty"`
}

// Over returns the settings, with those of t where s has none.
func (s CompactionSettings) Over(t CompactionSettings) CompactionSettings {
	return CompactionSettings{
		Strategy: cmp.Or(s.Strategy, t.Strategy), Messages: cmp.Or(s.Messages, t.Messages), Bytes: cmp.Or(s.Bytes, t.Bytes), Tokens: cmp.Or(s.Tokens, t.Tokens),
		Turns: cmp.Or(s.Turns, t.Turns), WindowPercent: cmp.Or(s.WindowPercent, t.WindowPercent), KeepMessages: cmp.Or(s.KeepMessages, t.KeepMessages),
		KeepTurns: cmp.Or(s.KeepTurns, t.KeepTurns), Model: cmp.Or(s.Model, t.Model),
	}
}

// The values of Compaction.Why.
const (
	WhyMessages  = "messages"         // more than ContextPlan.TriggerMessages
	WhyBytes     = "bytes"            // more than ContextPlan.TriggerBytes
	WhyTokens    = "tokens"           // more than ContextPlan.TriggerTokens
	WhyTurns     = "turns"            // ContextPlan.TriggerTurns are reached
	WhyWindow    = "window"           // ContextPlan.TriggerPercent of the model's context window are reached
	WhyOverflow  = "context_overflow" // the provider refused the context as too long
	WhyRequested = "requested"        // by the user
)

// Compaction describes a compaction: what its message replaces in the context of the messages below it. The messages stay
// in the tree.
type Compaction struct {
	Strategy CompactionStrategy `json:"strategy"`
	// FirstKept is the first message before the compaction that stays in the context. Those before it are replaced by the summary.
	FirstKept string `json:"firstKept"`
	// BlankedBefore is a message before the compaction: the outputs of tools before it are removed; empty: none.
	BlankedBefore string `json:"blankedBefore,omitempty"`
	// MaxOutputChars is the longest output of a tool that is kept before the compaction; 0: no limit.
	MaxOutputChars  int64 `json:"maxOutputChars,omitempty"`
	CoveredMessages int64 `json:"coveredMessages"` // on the path before FirstKept
	// CoveredTurns counts the prompts before FirstKept, CoveredSteps the answers since the last of them if FirstKept is within its turn.
	CoveredTurns   int64  `json:"coveredTurns"`
	CoveredSteps   int64  `json:"coveredSteps,omitempty"`
	MessagesBefore int64  `json:"messagesBefore"` // of the context, the system prompt included
	MessagesAfter  int64  `json:"messagesAfter"`
	TokensBefore   int64  `json:"tokensBefore"` // of the context, estimated
	TokensAfter    int64  `json:"tokensAfter"`
	Why            string `json:"why"`
	Focus          string `json:"focus,omitempty"` // what the user asked the summary to keep
	// TrimmedSections counts the oldest sections of the summary that were removed so that it stays short.
	TrimmedSections int64 `json:"trimmedSections,omitempty"`
	// Replaced is the usage of the messages that it replaces and of the call that wrote the summary. It is for
	// display: the messages themselves are counted where they are.
	Replaced *ReplacedUsage `json:"replaced,omitempty"`
}

// ReplacedUsage is the usage of the messages that a compaction replaces.
type ReplacedUsage struct {
	InputTokens   int64 `json:"inputTokens"`
	OutputTokens  int64 `json:"outputTokens"`
	CostNanoUSD   int64 `json:"costNanoUsd"`             // of the calls whose cost is known
	UnpricedCalls int64 `json:"unpricedCalls,omitempty"` // calls whose cost is unknown
}

// Add adds the usage of a message.
func (u *ReplacedUsage) Add(m *Message) {
	if m.Usage != nil {
		u.InputTokens += m.Usage.InputTokens
		u.OutputTokens += m.Usage.OutputTokens
	}
	switch {
	case m.CostNanoUSD != nil:
		u.CostNanoUSD += *m.CostNanoUSD
	case m.Usage != nil:
		u.UnpricedCalls++
	}
}

type compacting struct {
	Compaction *Compaction `json:"compaction,omitempty"`
}

// Meta returns the Meta of the compaction's message.
func (c Compaction) Meta() json.RawMessage {
	meta, _ := json.Marshal(compacting{&c}) // strings and numbers always encode
	return meta
}

// Compaction returns what a compaction of Coppice replaced; false for any other message, such as a compaction of another tool. In a request,
// the prompt after a compaction is part of its message.
func (m *Message) Compaction() (Compaction, bool) {
	var meta compacting
	if m.Role != RoleUser || len(m.Meta) == 0 || json.Unmarshal(m.Meta, &meta) != nil || meta.Compaction == nil {
		return Compaction{}, false
	}
	return *meta.Compaction, meta.Compaction.FirstKept != "" && meta.Compaction.Strategy != ""
}

// PartRequest is the name of the part of a compaction that quotes the request of the user that the first kept messages answer.
const PartRequest = "request"

// RequestLine begins that part.
const RequestLine = "The next messages answer this request of the user:\n"

// Notice describes the compaction in one line.
func (c *Compaction) Notice() string {
	if c.Strategy == CompactBlanking {
		return fmt.Sprintf("context compacted: old tool output removed, about %d → %d tokens", c.TokensBefore, c.TokensAfter)
	}
	return fmt.Sprintf("context compacted: %d → %d messages", c.MessagesBefore, c.MessagesAfter)
}

// IsSharedCompaction reports whether a compaction is for every agent of a team: the user has requested it, or it replaces a conversation
// that cannot be sent.
func (m *Message) IsSharedCompaction() bool {
	c, ok := m.Compaction()
	return !ok || c.Why == WhyRequested
}
