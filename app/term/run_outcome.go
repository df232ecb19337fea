package term

import (
	"context"
	"strings"

	"coppice/app/internal/find"

	"coppice/app/internal/exit"

	"coppice/backend/lists"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// RunOutcome is how a session stands after a run, as JSON. The counts are those of all runs of the session, which is what a budget
// counts too.
type RunOutcome struct {
	SessionID     string          `json:"sessionId"`
	Status        core.Status     `json:"status"`
	StopReason    core.StopReason `json:"stopReason"`
	Steps         int64           `json:"steps"`
	CostNanoUSD   *int64          `json:"costNanoUsd"` // null: what some of it cost is not known
	InputTokens   int64           `json:"inputTokens"`
	OutputTokens  int64           `json:"outputTokens"`
	FilesModified []string        `json:"filesModified"`
	Answer        string          `json:"answer"`
	Error         string          `json:"error,omitempty"` // why it failed
	// Of several runs side by side, whose counts are their own.
	Model      string `json:"model,omitempty"`
	MessageUID string `json:"messageUid,omitempty"` // the end of its branch
}

func newOutcome(result engine.Result, total core.Run) RunOutcome {
	o := RunOutcome{
		SessionID: result.SessionID, Status: result.Run.Status, StopReason: result.Run.StopReason, Steps: total.StepCount,
		InputTokens: total.InputTokens, OutputTokens: total.OutputTokens, FilesModified: lists.NonNil(result.FilesModified), Answer: result.Answer,
		Error: result.Run.Error,
	}
	if total.UnpricedSteps == 0 {
		o.CostNanoUSD = &total.CostNanoUSD
	}
	return o
}

// allRuns adds up what the runs of a session took.
func allRuns(ctx context.Context, db *sqlite.DB, sessionID string) (total core.Run, runs int, err error) {
	all, err := db.Runs(ctx, sessionID)
	for _, one := range all {
		total.StepCount += one.StepCount
		total.InputTokens += one.InputTokens
		total.OutputTokens += one.OutputTokens
		total.CostNanoUSD += one.CostNanoUSD
		total.UnpricedSteps += one.UnpricedSteps
	}
	return total, len(all), err
}

// runFailure makes the error of a run that had begun what its exit code is: what a provider says of a request is no mistake of the
// command's, but for a model it does not know.
func runFailure(err error) error {
	switch core.CodeOf(err) {
	case "", core.Auth, core.Timeout, core.NotFound:
		return err
	default:
		hint := core.HintOf(err)
		wrapped := core.E(core.Unavailable, "the run failed")
		wrapped.Err, wrapped.Hint = err, hint
		return wrapped
	}
}

// exitOf is the exit code for how a run ended; nil for success.
func exitOf(reason core.StopReason) error {
	switch reason {
	case core.StopDone:
		return nil
	case core.StopTimeout:
		return exit.Outcome(exit.Timeout)
	case core.StopUserInterrupt, core.StopTerminated:
		return exit.Outcome(exit.Interrupted)
	case core.StopMaxSteps, core.StopBudget, core.StopContextFull, core.StopHITLQuit, core.StopDoomLoop:
		return exit.Outcome(exit.Partial)
	case core.StopError:
		return exit.Outcome(exit.Failed)
	default:
		return exit.Outcome(exit.Failed)
	}
}

// resumeCommand is what a person types to go on with a session.
func (s *Shell) resumeCommand(ctx context.Context, db *sqlite.DB, sessionID string) string {
	return "coppice resume " + find.ShortID(ctx, db, sessionID) + s.dbFlag()
}

// dbFlag names the library in a command, where it is not the usual one.
func (s *Shell) dbFlag() string {
	if s.Library == "" {
		return ""
	}
	return " --db " + shellQuote(s.Library)
}

// shellQuote writes a word so that a shell takes it as one.
func shellQuote(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,", r)
	}) < 0
	if plain && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
