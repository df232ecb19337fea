package engine

import (
	"crypto/sha256"
	"fmt"

	"coppice/backend/core"
)

// recentSteps and mostRepeats define a loop: the same calls with the same results, three times in ten steps.
const (
	recentSteps = 10
	mostRepeats = 3
)

// isLooping reports whether the model repeats itself.
func (r *run) isLooping(calls []core.Part) bool {
	hash := sha256.New()
	for _, call := range calls {
		fmt.Fprintf(hash, "%q %q %q\n", call.Name, call.Arguments, call.Text)
	}
	for _, p := range r.context[len(r.context)-1].Parts {
		fmt.Fprintf(hash, "%t %q\n", p.IsError, textOf(p.Result))
	}
	r.recent = append(r.recent, string(hash.Sum(nil)))
	if len(r.recent) > recentSteps {
		r.recent = r.recent[1:]
	}
	n := 0
	for _, signature := range r.recent {
		if signature == r.recent[len(r.recent)-1] {
			n++
		}
	}
	return n >= mostRepeats
}
