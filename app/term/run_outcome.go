package term

import (
	"context"
	"encoding/json"
	"strings"

	"coppice/app/internal/exit"
	"coppice/app/internal/find"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lists"
	"coppice/backend/sqlite"
)

// RunOutcome is the JSON form of a session after a run. The counts are sums over all runs of the session, as for
// budgets.
type RunOutcome struct {
	SessionID     string          `json:"sessionId"`
	Status        core.Status     `json:"status"`
	StopReason    core.StopReason `json:"stopReason"`
	Steps         int64           `json:"steps"`
	CostNanoUSD   *int64          `json:"costNanoUsd"` // null: some of the cost is unknown
	InputTokens   int64           `json:"inputTokens"`
	OutputTokens  int64           `json:"outputTokens"`
	FilesModified []string        `json:"filesModified"`
	Answer        string          `json:"answer"`
	// Output is the JSON value of an answer that satisfies the schema of --output-schema.
	Output json.RawMessage `json:"output,omitempty"`
	Error  string          `json:"error,omitempty"` // why the run failed
	// Refused are the calls that no user was available to approve.
	Refused []engine.Refusal `json:"refused,omitempty"`
	// ResumedFrom is what the session continued with: checkpoint, messages or summary; empty: it is new.
	ResumedFrom core.ResumedFrom `json:"resumedFrom,omitempty"`
	// Only for several runs side by side. The counts are then those of one run.
	Model      string `json:"model,omitempty"`
	MessageUID string `json:"messageUid,omitempty"` // the end of the branch of the run
}

func newOutcome(result engine.Result, total core.Run) RunOutcome {
	o := RunOutcome{
		SessionID: result.SessionID, Status: result.Run.Status, StopReason: result.Run.StopReason, Steps: total.StepCount,
		InputTokens: total.InputTokens, OutputTokens: total.OutputTokens, FilesModified: lists.NonNil(result.FilesModified), Answer: result.Answer, Output: result.Output,
		Error: result.Run.Error, Refused: result.Refused, ResumedFrom: result.ResumedFrom,
	}
	if total.UnpricedSteps == 0 {
		o.CostNanoUSD = &total.CostNanoUSD
	}
	return o
}

// allRuns returns the sums of what the runs of a session used, and the number of runs.
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

// runFailure returns the error of a run that had started with the code that its exit status needs. If a provider
// rejects a request, the command line is not wrong, unless the provider does not know the model.
func runFailure(err error) error {
	switch core.CodeOf(err) {
	case "", core.Auth, core.Timeout, core.NotFound:
		return err
	default:
		return core.Wrap(core.Unavailable, err, "the run failed")
	}
}

// exitOf returns the exit code for the way a run ended; nil: success.
func exitOf(reason core.StopReason) error {
	switch reason {
	case core.StopDone, core.StopTeamDone:
		return nil
	case core.StopTimeout:
		return exit.Outcome(exit.Timeout)
	case core.StopUserInterrupt, core.StopTerminated:
		return exit.Outcome(exit.Interrupted)
	case core.StopMaxSteps, core.StopBudget, core.StopContextFull, core.StopHITLQuit, core.StopDoomLoop, core.StopRefused, core.StopHibernated:
		return exit.Outcome(exit.Partial)
	case core.StopError:
		return exit.Outcome(exit.Failed)
	default:
		return exit.Outcome(exit.Failed)
	}
}

// resumeCommand returns the command that continues a session.
func (s *Shell) resumeCommand(ctx context.Context, db *sqlite.DB, sessionID string) string {
	return "coppice resume " + find.ShortID(ctx, db, sessionID) + s.dbFlag()
}

// dbFlag returns the flag that names the library, or an empty string for the default library.
func (s *Shell) dbFlag() string {
	if s.Library == "" {
		return ""
	}
	return " --db " + shellQuote(s.Library)
}

// shellQuote quotes a word for a shell.
func shellQuote(word string) string {
	plain := strings.IndexFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,", r)
	}) < 0
	if plain && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
