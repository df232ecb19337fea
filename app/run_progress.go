package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// progressEvery is how often the line of progress is looked at.
const progressEvery = 250 * time.Millisecond

// spentWords tell what runs took.
func spentWords(run core.Run) []string {
	return []string{count(run.StepCount, "step"), humanize.Comma(run.InputTokens+run.OutputTokens) + " tok", costOf(run)}
}

// costOf says what runs cost. What is not known is never shown as nothing.
func costOf(run core.Run) string {
	switch {
	case run.UnpricedSteps == 0:
		return money(&run.CostNanoUSD)
	case run.CostNanoUSD == 0:
		return "cost unknown"
	default:
		return money(&run.CostNanoUSD) + " and an unknown cost"
	}
}

// clock writes how long something takes as 0:12, 12:34 or 1:02:03.
func clock(d time.Duration) string {
	seconds := int64(max(d, 0) / time.Second)
	if hours := seconds / 3600; hours > 0 {
		return fmt.Sprintf("%d:%02d:%02d", hours, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// progressWords is the line of progress: the step that goes on, what there was before it, and what is being done.
func progressWords(run core.Run, took time.Duration, doing string) string {
	words := []string{fmt.Sprintf("step %d", run.StepCount+1)}
	if run.StepCount > 0 {
		words = append(words, humanize.Comma(run.InputTokens+run.OutputTokens)+" tok", costOf(run))
	}
	words = append(words, clock(took))
	if doing != "" {
		words = append(words, doing)
	}
	return strings.Join(words, " · ")
}
