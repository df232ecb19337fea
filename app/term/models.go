package term

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// modelRun is one of several runs that answer the same task side by side.
type modelRun struct {
	model  string
	result engine.Result
	err    error
}

// RunModels runs the same task with several models. The first model leads, as in RunSession. The others answer the
// prompt message that the first run stored. RunModels prints the answers in the order of the flags.
func (s *Shell) RunModels(ctx context.Context, db *sqlite.DB, session core.Session, flags *RunOptions, text string) error {
	o, task, release, err := s.prepare(ctx, db, session, flags, text)
	defer release()
	if err != nil {
		return err
	}
	request, err := flags.request(text)
	if err != nil {
		return err
	}
	request.FromUID = task.From
	side, err := launch.NewSideBySide(request, session, flags.Models)
	if err != nil {
		return err
	}
	runs := make([]modelRun, len(flags.Models))
	for i, model := range flags.Models {
		runs[i].model = model
	}
	ended := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() {
		for i, other := range side.Others(ended) {
			beside.Go(func() { s.runAside(ctx, o, other, &runs[i+1]) })
		}
	})
	runs[0].result, runs[0].err = s.perform(ctx, o, task, displayOptions{beside: side.Observe})
	close(ended)
	beside.Wait()
	if runs[0].result.SessionID == "" {
		return runs[0].err
	}
	return s.concludeModels(context.WithoutCancel(ctx), db, runs, flags)
}

// runAside runs one of the models that do not lead, and prints how its run ended.
func (s *Shell) runAside(ctx context.Context, o *launch.RunEnv, request launch.RunRequest, one *modelRun) {
	began := s.Now()
	one.err = func() error {
		session, err := o.DB.Session(ctx, request.SessionID)
		if err != nil {
			return err
		}
		own := *o
		task, release, err := own.Task(ctx, request, session)
		defer release()
		if err != nil {
			return err
		}
		one.result, err = own.Engine().Run(ctx, task)
		return err
	}()
	words := "could not begin: "
	if one.result.SessionID != "" {
		words = present.RunEnd(one.result.Run, s.Now().Sub(began))
	}
	if one.err != nil {
		words = strings.TrimSuffix(words, ": ") + ": " + present.OneLine(one.err.Error())
	}
	s.Say("%s", s.paint(present.Dim, "· "+one.model+" · "+words))
}

// concludeModels prints the results of several runs. The exit code is that of the first run that did not succeed.
func (s *Shell) concludeModels(ctx context.Context, db *sqlite.DB, runs []modelRun, flags *RunOptions) error {
	outcomes := make([]RunOutcome, len(runs))
	for i := range runs {
		one := &runs[i]
		outcomes[i] = newOutcome(one.result, one.result.Run)
		outcomes[i].SessionID, outcomes[i].Model = runs[0].result.SessionID, one.model
		if one.result.SessionID == "" {
			outcomes[i].Status, outcomes[i].StopReason, outcomes[i].Error = core.StatusFailed, core.StopError, one.err.Error()
			continue
		}
		uid, err := db.RunTip(ctx, one.result.Run.ID)
		if err != nil {
			return err
		}
		outcomes[i].MessageUID = uid
	}
	transcript := s.writeTranscript(ctx, db, runs[0].result.SessionID, flags)
	var printed error
	if flags.JSON {
		printed = s.PrintJSON(outcomes)
	} else {
		for i := range outcomes {
			answer := present.Safe(strings.TrimRight(outcomes[i].Answer, "\n"))
			if answer == "" {
				answer = "(no answer: " + present.OneLine(outcomes[i].Error) + ")"
			}
			printed = errors.Join(printed, s.Printf("%s\n%s\n", "--- "+present.OneLine(outcomes[i].Model), answer))
		}
	}
	if err := errors.Join(printed, transcript); err != nil {
		return err
	}
	at := slices.IndexFunc(runs, func(one modelRun) bool { return one.err != nil || one.result.Run.Status != core.StatusSuccess })
	if at < 0 {
		return nil
	}
	if failed := &runs[at]; failed.err != nil {
		return runFailure(failed.err)
	}
	return exitOf(runs[at].result.Run.StopReason)
}
