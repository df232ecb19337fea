package app

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

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

// endWords say how a run ended and what it took.
func endWords(run core.Run, took time.Duration) string {
	how := string(run.Status)
	switch run.Status {
	case core.StatusSuccess:
		how = "done"
	case core.StatusPartial:
		how = "stopped: " + strings.ReplaceAll(string(run.StopReason), "_", " ")
	default:
	}
	words := []string{how}
	if run.StepCount > 0 {
		words = append(words, spentWords(run)...)
	}
	return strings.Join(append(words, clock(took)), " · ")
}
