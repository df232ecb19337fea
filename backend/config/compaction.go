package config

import (
	"strings"

	"coppice/backend/compact"
	"coppice/backend/core"
)

// Compaction holds the settings of when and how the context of a conversation is compacted. What a file does not set is the default of the
// strategy.
type Compaction struct {
	Strategy      core.CompactionStrategy `yaml:"strategy"`
	Messages      int64                   `yaml:"messages"`       // more messages than this start a compaction
	Bytes         int64                   `yaml:"bytes"`          // more bytes of text
	Tokens        int64                   `yaml:"tokens"`         // more tokens
	Turns         int64                   `yaml:"turns"`          // so many turns
	WindowPercent int64                   `yaml:"window_percent"` // this share of the model's context window
	KeepMessages  int64                   `yaml:"keep_messages"`  // the newest ones stay
	KeepTurns     int64                   `yaml:"keep_turns"`
	Model         string                  `yaml:"model"` // PROVIDER/MODEL that writes the summaries of llm
}

// settings returns what is set: isSet reports whether a key is, because 0 turns a trigger off.
func (c *Compaction) settings(isSet func(key string) bool) core.CompactionSettings {
	set := func(key string, value *int64) *int64 {
		if isSet("compaction." + key) {
			return value
		}
		return nil
	}
	return core.CompactionSettings{
		Strategy: c.Strategy, Messages: set("messages", &c.Messages), Bytes: set("bytes", &c.Bytes), Tokens: set("tokens", &c.Tokens),
		Turns: set("turns", &c.Turns), WindowPercent: set("window_percent", &c.WindowPercent), KeepMessages: set("keep_messages", &c.KeepMessages),
		KeepTurns: set("keep_turns", &c.KeepTurns), Model: c.Model,
	}
}

// checkCompaction returns why settings cannot work with any model; nil if they can.
func checkCompaction(s core.CompactionSettings) error {
	for _, windowKnown := range []bool{false, true} {
		if _, err := compact.Plan(s, windowKnown, true); err != nil {
			return err
		}
	}
	return nil
}

// firstOrigin returns where the compaction is set first; the file if it is not.
func firstOrigin(origins map[string]origin, file string) origin {
	first := origin{File: file}
	for key, at := range origins {
		if strings.HasPrefix(key, "compaction.") && (first.Line == 0 || at.Line < first.Line) {
			first = at
		}
	}
	return first
}
