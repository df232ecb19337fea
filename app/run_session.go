package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"coppice/app/internal/version"

	"coppice/app/internal/present"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
)

// runSession lets a session grow once: a new one where session is the zero value. text is what the person says; empty: it goes on
// where it stopped. What the command prints and its exit code come of it.
func (s *shell) runSession(ctx context.Context, db *sqlite.DB, session core.Session, flags *runFlags, text string) error {
	o, task, release, err := s.prepare(ctx, db, session, flags, text)
	defer release()
	if err != nil {
		return err
	}
	streamed := s.width > 0 && !flags.json
	result, err := s.perform(ctx, o, task, performance{hitl: flags.hitl, text: s.answerScreen(streamed, flags.hitl)})
	if result.SessionID == "" {
		return err
	}
	concluded := s.conclude(context.WithoutCancel(ctx), db, result, flags, streamed)
	switch {
	case err != nil:
		return errors.Join(runFailure(err), concluded)
	case concluded != nil:
		return concluded
	}
	return exitOf(result.Run.StopReason)
}

// prepare makes what runSession runs. release ends what the task holds; it is never nil.
func (s *shell) prepare(ctx context.Context, db *sqlite.DB, session core.Session, flags *runFlags, text string) (o *outfit, task engine.Task, release func(), err error) {
	release = func() {}
	request, err := flags.request(text)
	if err != nil {
		return nil, task, release, err
	}
	prompt, err := request.prompt()
	if err != nil {
		return nil, task, release, err
	}
	if flags.branch != "" {
		node, err := findNode(ctx, db, session, flags.branch)
		if err != nil {
			return nil, task, release, err
		}
		request.FromUID = node.UID
	}
	workspace, err := flags.place(session)
	if err != nil {
		return nil, task, release, err
	}
	if err := s.resolveTrust(ctx, workspace); err != nil {
		return nil, task, release, err
	}
	if o, err = newLauncher(version.Number, s.trust).env(db, workspace); err != nil {
		return nil, task, release, err
	}
	if o.here, err = filepath.Abs(""); err != nil {
		return nil, task, release, core.Wrap(core.Unavailable, err, "find this folder")
	}
	if err = s.confirm(ctx, o, &request, session); err != nil {
		return nil, task, release, err
	}
	flags.confirmed = request.Confirmed
	if task, release, err = o.task(ctx, request, session); err != nil {
		return nil, task, release, err
	}
	task.Prompt = prompt
	if session.ID == "" {
		return o, task, release, nil
	}
	if err := s.tellResumed(ctx, o, session, &task); err != nil {
		return nil, task, release, err
	}
	if flags.name != "" {
		err = db.SetName(ctx, session.ID, flags.name)
	}
	return o, task, release, err
}

// answerScreen is where answers are shown as they come: on stdout where that is a terminal, else where the person is who is
// to say something about them; nil: nowhere.
func (s *shell) answerScreen(streamed, hitl bool) io.Writer {
	switch {
	case streamed:
		return s.out
	case hitl && s.person != nil:
		return s.person.screen
	default:
		return nil
	}
}

// performance is how a run is shown.
type performance struct {
	text   io.Writer          // where answers are streamed; nil: nowhere
	hitl   bool               // the person says after each answer how to go on
	brief  bool               // what runs is known
	ear    *ear               // what the person types meanwhile; nil: nobody listens
	beside func(engine.Event) // is told what happens too; nil: nobody is
}

// perform runs a task at the terminal until it ends, and says how it ended.
func (s *shell) perform(ctx context.Context, o *outfit, task engine.Task, how performance) (engine.Result, error) {
	view := newRunView(s.terminal, how, runSource{
		message: func(sessionID, uid string) (core.Message, error) { return o.db.Message(ctx, sessionID, uid) },
		shortID: func(sessionID string) string { return shortID(ctx, o.db, sessionID) },
	})
	task.Observe = view.observe
	if how.beside != nil {
		task.Observe = func(e engine.Event) {
			view.observe(e)
			how.beside(e)
		}
	}
	aside, over := func(f func()) { f() }, func() {}
	if e := how.ear; e != nil {
		aside, over = e.aside, e.begin(ctx, view, &task)
	}
	if s.person != nil {
		task.Ask = func(ctx context.Context, q engine.Question) (answer engine.Answer, err error) {
			aside(func() { answer, err = s.person.permit(ctx, q) })
			return answer, err
		}
	}
	if how.hitl {
		task.Review = func(ctx context.Context, m core.Message) (review engine.Review, err error) {
			view.pause()
			defer view.goOn()
			aside(func() { review, err = s.person.review(ctx, m) })
			return review, err
		}
	}
	ticking, stop := context.WithCancel(ctx)
	defer stop()
	go view.tick(ticking)
	result, err := o.engine().Run(ctx, task)
	over()
	view.pause()
	if result.SessionID != "" {
		view.end(present.RunEnd(result.Run, s.now().Sub(view.began)))
	}
	return result, err
}

// tellResumed says which session goes on, and what is other than before.
func (s *shell) tellResumed(ctx context.Context, o *outfit, session core.Session, task *engine.Task) error {
	facts := []string{present.SessionName(session), string(session.Status), present.Count(session.MessageCount, "message"), present.Count(session.StepCount, "step")}
	if cost := present.Money(session.CostNanoUSD); cost != "" {
		facts = append(facts, cost)
	}
	s.say("Resuming session %s: %s", shortID(ctx, o.db, session.ID), strings.Join(facts, " · "))
	former, err := lastRun(ctx, o.db, session)
	if err != nil {
		return err
	}
	for _, line := range differences(former, session, task) {
		s.say("%s", s.paint(present.Dim, "· "+present.OneLine(line)))
	}
	return nil
}

// differences say what of a run is other than in the last one of its session.
func differences(former core.Run, session core.Session, task *engine.Task) []string {
	var lines []string
	differs := func(what, now, before string) {
		if before != "" && now != before {
			lines = append(lines, fmt.Sprintf("%s %s instead of %s", what, now, before))
		}
	}
	differs("model", task.ModelRef, former.Model)
	if former.Model == "" { // an imported session names it as its tool did
		differs("model", task.ModelRef, session.Model)
	}
	differs("server", cmp.Or(task.BaseURL, "none"), former.BaseURL)
	differs("agent", task.AgentName, former.Agent)
	differs("mode", string(task.Mode), string(former.Mode))
	if former.ID != "" {
		differs("budget", budgetWords(task.Budget), budgetWords(former.Budget))
	}
	before := session.WorkspacePath
	if former.WorkspacePath != "" {
		before = former.WorkspacePath
	}
	differs("workspace", task.WorkspacePath, before)
	return lines
}

// budgetWords write the limits of a run.
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
func (s *shell) conclude(ctx context.Context, db *sqlite.DB, result engine.Result, flags *runFlags, streamed bool) error {
	total, runs, err := allRuns(ctx, db, result.SessionID)
	if err != nil {
		return err
	}
	if runs > 1 {
		s.say("%s", s.paint(present.Dim, "· in all: "+strings.Join(present.Spent(total), " · ")))
	}
	if result.Run.Status != core.StatusSuccess && !s.keepsNothing {
		s.say("continue with: %s", s.resumeCommand(ctx, db, result.SessionID))
	}
	transcript := s.writeTranscript(ctx, db, result.SessionID, flags)
	switch {
	case flags.json:
		return errors.Join(s.printJSON(newOutcome(result, total)), transcript)
	case !streamed:
		return errors.Join(s.printf("%s\n", present.Safe(strings.TrimRight(result.Answer, "\n"))), transcript)
	}
	return transcript
}

// writeTranscript writes the path of the session to the file that --output names.
func (s *shell) writeTranscript(ctx context.Context, db *sqlite.DB, sessionID string, flags *runFlags) error {
	path, err := flags.transcriptPath()
	if path == "" || err != nil {
		return err
	}
	session, err := db.Session(ctx, sessionID)
	if err != nil {
		return err
	}
	e := export{sessions: []core.Session{session}, format: formatMarkdown, scope: "path"}
	if _, err = e.toPath(ctx, db, path); err == nil {
		s.say("%s", s.paint(present.Dim, "· the transcript is in "+flags.output))
	}
	return err
}

func (s *shell) exportTo(ctx context.Context, db *sqlite.DB, e export, output string) error {
	line := newProgressLine(s.terminal)
	e.progress = line.show
	path, err := e.toPath(ctx, db, output)
	line.clear()
	if err != nil {
		return err
	}
	s.say("exported %s to %s", present.Count(int64(len(e.sessions)), "session"), path)
	return nil
}
