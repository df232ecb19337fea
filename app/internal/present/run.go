package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// Spent returns the steps, tokens and cost of a run.
func Spent(run core.Run) []string {
	return []string{Count(run.StepCount, "step"), humanize.Comma(run.InputTokens+run.OutputTokens) + " tok", Cost(run)}
}

// Cost returns the cost of a run as text. An unknown part is marked, never shown as 0.
func Cost(run core.Run) string {
	switch {
	case run.UnpricedSteps == 0:
		return Money(&run.CostNanoUSD)
	case run.CostNanoUSD == 0:
		return "cost unknown"
	default:
		return Money(&run.CostNanoUSD) + " and an unknown cost"
	}
}

// Clock returns a duration as 0:12, 12:34 or 1:02:03.
func Clock(d time.Duration) string {
	seconds := int64(max(d, 0) / time.Second)
	if hours := seconds / 3600; hours > 0 {
		return fmt.Sprintf("%d:%02d:%02d", hours, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// RunEnd returns a summary of how a run ended and what it used.
func RunEnd(run core.Run, took time.Duration) string {
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
		words = append(words, Spent(run)...)
	}
	return strings.Join(append(words, Clock(took)), " · ")
}
