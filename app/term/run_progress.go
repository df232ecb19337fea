package term

import (
	"fmt"
	"strings"
	"time"

	"coppice/app/internal/present"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
)

// progressEvery is how often the line of progress is looked at.
const progressEvery = 250 * time.Millisecond

// progressWords is the line of progress: the step that goes on, what there was before it, and what is being done.
func progressWords(run core.Run, took time.Duration, doing string) string {
	words := []string{fmt.Sprintf("step %d", run.StepCount+1)}
	if run.StepCount > 0 {
		words = append(words, humanize.Comma(run.InputTokens+run.OutputTokens)+" tok", present.Cost(run))
	}
	words = append(words, present.Clock(took))
	if doing != "" {
		words = append(words, doing)
	}
	return strings.Join(words, " · ")
}
