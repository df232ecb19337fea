package term

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"coppice/app/internal/export"
	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/internal/version"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// RunSession runs a session once and prints the result. The zero value of session starts a new one. text is the prompt
// of the user; if it is empty, the session continues where it stopped. The error carries the exit code of the command.
func (s *Shell) RunSession(ctx context.Context, db *sqlite.DB, session core.Session, flags *RunOptions, text string) error {
	o, task, release, err := s.prepare(ctx, db, session, flags, text)
	defer release()
	if err != nil {
		return err
	}
	streamed := s.Width > 0 && !flags.JSON && !flags.JSONStream
	how := displayOptions{hitl: flags.HITL, text: s.answerScreen(streamed, flags.HITL)}
	if flags.JSONStream {
		flags.events = &eventStream{Terminal: s.Terminal}
		how.beside = flags.events.observe
	}
	result, err := s.perform(ctx, o, task, how)
	if result.SessionID == "" {
		return err
	}
	flags.hasSchema = task.Output != nil
	concluded := s.conclude(context.WithoutCancel(ctx), db, result, flags, streamed)
	switch {
	case err != nil:
		return errors.Join(runFailure(err), concluded)
	case concluded != nil:
		return concluded
	}
	return exitOf(result.Run.StopReason)
}

// prepare returns the task that RunSession runs, and prints what it continues. release ends what the task holds; it is never nil.
func (s *Shell) prepare(ctx context.Context, db *sqlite.DB, session core.Session, flags *RunOptions, text string) (o *launch.RunEnv, task engine.Task, release func(), err error) {
	o, task, release, err = s.resolve(ctx, db, session, flags, text)
	if err != nil || session.ID == "" {
		return o, task, release, err
	}
	if err := s.printResumed(ctx, o, session, &task); err != nil {
		return nil, task, release, err
	}
	if flags.Name != "" {
		err = db.SetName(ctx, session.ID, flags.Name)
	}
	return o, task, release, err
}

// resolve returns the task that the flags describe. release ends what the task holds; it is never nil.
func (s *Shell) resolve(ctx context.Context, db *sqlite.DB, session core.Session, flags *RunOptions, text string) (o *launch.RunEnv, task engine.Task, release func(), err error) {
	release = func() {}
	request, err := flags.request(text)
	if err != nil {
		return nil, task, release, err
	}
	if flags.Branch != "" {
		node, err := find.Node(ctx, db, session, flags.Branch)
		if err != nil {
			return nil, task, release, err
		}
		request.FromUID = node.UID
	}
	workspace, err := flags.folder(session)
	if err != nil {
		return nil, task, release, err
	}
	if err := s.ResolveTrust(ctx, workspace); err != nil {
		return nil, task, release, err
	}
	if o, err = launch.New(version.Number, s.Trust).Env(db, workspace); err != nil {
		return nil, task, release, err
	}
	if o.Here, err = filepath.Abs(""); err != nil {
		return nil, task, release, core.Wrap(core.Unavailable, err, "find this folder")
	}
	prompt, err := s.expand(o, &request)
	if err != nil {
		return nil, task, release, err
	}
	if err = s.confirm(ctx, o, &request, session); err != nil {
		return nil, task, release, err
	}
	flags.confirmed = request.Confirmed
	if task, release, err = o.Task(ctx, request, session); err != nil {
		return nil, task, release, err
	}
	task.Prompt = prompt
	return o, task, release, nil
}

// expand replaces one of the user's own commands in the request by its text, prints its file, and returns the parts of the prompt.
func (s *Shell) expand(o *launch.RunEnv, request *launch.RunRequest) ([]core.Part, error) {
	text, own := o.Expand(request.Text)
	if own != nil {
		s.Say("%s", s.paint(present.Dim, "· "+own.Source))
	}
	request.Text = text
	return request.Prompt()
}

// answerScreen returns where answers are streamed: to stdout if it is a terminal, else to the screen of a user who
// reviews them; nil: nowhere.
func (s *Shell) answerScreen(streamed, hitl bool) io.Writer {
	switch {
	case streamed:
		return s.Out
	case hitl && s.Prompter != nil:
		return s.Prompter.screen
	default:
		return nil
	}
}

// displayOptions are the options of a runView.
type displayOptions struct {
	text     io.Writer          // where answers are streamed; nil: nowhere
	hitl     bool               // the user reviews each answer
	brief    bool               // omit the line with the agent, the model and the workspace, which the user has seen
	listener *inputListener     // reads what the user types during the run; nil: nothing is read
	beside   func(engine.Event) // receives the events of the run too; nil: not called
}

// perform runs a task at the terminal until it ends, and prints how it ended.
func (s *Shell) perform(ctx context.Context, o *launch.RunEnv, task engine.Task, how displayOptions) (engine.Result, error) {
	view := newRunView(s.Terminal, how, runSource{
		message: func(sessionID, uid string) (core.Message, error) { return o.DB.Message(ctx, sessionID, uid) },
		shortID: func(sessionID string) string { return find.ShortID(ctx, o.DB, sessionID) },
	})
	o.Output = view.output
	task.Observe = view.observe
	if how.beside != nil {
		task.Observe = func(e engine.Event) {
			view.observe(e)
			how.beside(e)
		}
	}
	aside, over := func(f func()) { f() }, func() {}
	if e := how.listener; e != nil {
		aside, over = e.aside, e.begin(ctx, view, &task)
	}
	if s.Prompter != nil {
		task.Ask = func(ctx context.Context, q engine.Question) (answer engine.Answer, err error) {
			aside(func() { answer, err = s.Prompter.permit(ctx, s.Signals, q) })
			return answer, err
		}
	}
	if how.hitl {
		task.Review = func(ctx context.Context, m core.Message) (review engine.Review, err error) {
			view.pause()
			defer view.resume()
			aside(func() { review, err = s.Prompter.review(ctx, m) })
			return review, err
		}
	}
	ticking, stop := context.WithCancel(ctx)
	defer stop()
	go view.tick(ticking)
	result, err := o.Engine().Run(ctx, task)
	over()
	view.pause()
	if result.SessionID != "" {
		ended := present.RunEnd(result.Run, s.Now().Sub(view.began))
		if view.context != "" {
			ended += " · " + view.context
		}
		view.end(ended)
	}
	return result, err
}

// printResumed prints which session continues, and what differs from its last run.
func (s *Shell) printResumed(ctx context.Context, o *launch.RunEnv, session core.Session, task *engine.Task) error {
	facts := []string{present.SessionName(session), string(session.Status), present.Count(session.MessageCount, "message"), present.Count(session.StepCount, "step")}
	if cost := present.Money(session.CostNanoUSD); cost != "" {
		facts = append(facts, cost)
	}
	s.Say("Resuming session %s: %s", find.ShortID(ctx, o.DB, session.ID), strings.Join(facts, " · "))
	if session.Name != "" {
		s.Say("%s", s.paint(present.Dim, "· name "+session.Name))
	}
	return s.printDifferences(ctx, o.DB, session, task)
}

// printDifferences prints the settings of a run that differ from those of the session.
func (s *Shell) printDifferences(ctx context.Context, db *sqlite.DB, session core.Session, task *engine.Task) error {
	former, err := launch.FormerState(ctx, db, session, task.From)
	if err != nil {
		return err
	}
	for _, line := range differences(former, session, task) {
		s.Say("%s", s.paint(present.Dim, "· "+present.OneLine(line)))
	}
	return nil
}

// differences returns a line for each setting of a run that differs from the state that its session had.
func differences(former core.RunState, session core.Session, task *engine.Task) []string {
	var lines []string
	differs := func(what, now, before string) {
		if before != "" && now != before {
			lines = append(lines, fmt.Sprintf("%s %s instead of %s", what, now, before))
		}
	}
	differs("model", task.ModelRef, former.Model)
	if former.Model == "" { // an imported session has the model's name in the form that its tool uses
		differs("model", task.ModelRef, session.Model)
	}
	differs("server", cmp.Or(task.BaseURL, "none"), former.BaseURL)
	differs("agent", task.Agent.Name, former.Agent.Name)
	differs("mode", string(task.Mode), string(former.Mode))
	differs("compaction", string(task.Context.Strategy), string(former.Context.Strategy))
	if former.Model != "" {
		differs("effort", cmp.Or(string(task.Effort), defaultEffort), cmp.Or(string(former.Effort), defaultEffort))
		differs("budget", budgetWords(task.Budget), budgetWords(former.Limits))
	}
	before := session.WorkspacePath
	if former.WorkspacePath != "" {
		before = former.WorkspacePath
	}
	differs("workspace", task.WorkspacePath, before)
	return lines
}

// defaultEffort names the effort of a run that sets none.
const defaultEffort = "the model's"

// budgetWords returns the limits of a run as text.
func budgetWords(b core.Budget) string {
	var words []string
	if b.CostNanoUSD > 0 {
		words = append(words, present.Money(&b.CostNanoUSD))
	}
	if b.Tokens > 0 {
		words = append(words, present.Count(b.Tokens, "token"))
	}
	if b.Steps > 0 {
		words = append(words, present.Count(b.Steps, "step"))
	}
	if b.TimeoutMs > 0 {
		words = append(words, present.Clock(time.Duration(b.TimeoutMs)*time.Millisecond))
	}
	if len(words) == 0 {
		return "without limit"
	}
	return strings.Join(words, ", ")
}

// conclude prints the result of a run and writes the transcript.
func (s *Shell) conclude(ctx context.Context, db *sqlite.DB, result engine.Result, flags *RunOptions, streamed bool) error {
	total, runs, err := allRuns(ctx, db, result.SessionID)
	if err != nil {
		return err
	}
	if runs > 1 {
		s.Say("%s", s.paint(present.Dim, "· in all: "+strings.Join(present.Spent(total), " · ")))
	}
	if result.Run.Status != core.StatusSuccess && !s.Discards {
		s.Say("continue with: %s", s.resumeCommand(ctx, db, result.SessionID))
	}
	transcript := s.writeTranscript(ctx, db, result.SessionID, flags)
	switch {
	case flags.events != nil:
		return errors.Join(flags.events.end(newOutcome(result, total)), transcript)
	case flags.JSON && flags.collect != nil:
		flags.collect(newOutcome(result, total))
		return transcript
	case flags.JSON:
		return errors.Join(s.PrintJSON(newOutcome(result, total)), transcript)
	case flags.hasSchema && result.Output == nil:
		return transcript
	case flags.hasSchema && !streamed:
		return errors.Join(s.PrintJSON(result.Output), transcript)
	case !streamed:
		return errors.Join(s.Printf("%s\n", present.Safe(strings.TrimRight(result.Answer, "\n"))), transcript)
	}
	return transcript
}

// writeTranscript writes the path of the session to the file of --output.
func (s *Shell) writeTranscript(ctx context.Context, db *sqlite.DB, sessionID string, flags *RunOptions) error {
	path, err := flags.transcriptPath()
	if path == "" || err != nil {
		return err
	}
	session, err := db.Session(ctx, sessionID)
	if err != nil {
		return err
	}
	e := export.Plan{Sessions: []core.Session{session}, Format: export.Markdown, Scope: "path"}
	if _, err = e.ToPath(ctx, db, path); err == nil {
		s.Say("%s", s.paint(present.Dim, "· the transcript is in "+flags.Output))
	}
	return err
}

// ExportTo exports to a file or folder, shows the progress, and prints the path.
func (s *Shell) ExportTo(ctx context.Context, db *sqlite.DB, e export.Plan, output string) error {
	line := NewProgressLine(s.Terminal)
	e.Progress = line.Show
	path, err := e.ToPath(ctx, db, output)
	line.Clear()
	if err != nil {
		return err
	}
	s.Say("exported %s to %s", present.Count(int64(len(e.Sessions)), "session"), path)
	return nil
}
