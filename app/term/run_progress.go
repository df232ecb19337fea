package term

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/present"
	"coppice/backend/core"
)

// progressEvery is the interval at which the progress line is updated.
const progressEvery = 250 * time.Millisecond

// progressWords returns the progress line: the current step, what the run has used, and what it is doing.
func progressWords(run core.Run, took time.Duration, context, doing string) string {
	words := []string{fmt.Sprintf("step %d", run.StepCount+1)}
	if run.StepCount > 0 {
		words = append(words, humanize.Comma(run.InputTokens+run.OutputTokens)+" tok", present.Cost(run))
	}
	words = append(words, present.Clock(took))
	if context != "" {
		words = append(words, context)
	}
	if doing != "" {
		words = append(words, doing)
	}
	return strings.Join(words, " · ")
}
