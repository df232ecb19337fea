package term

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"coppice/app/internal/exit"
	"coppice/app/internal/find"
	"coppice/app/internal/present"
	"coppice/app/internal/version"
	"coppice/app/term/line"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// chat is a conversation at a terminal, or one whose prompts are the lines of a pipe.
type chat struct {
	*Shell
	db          *sqlite.DB
	flags       *RunOptions
	launcher    *launch.Launcher // one for the whole chat, because it caches what it finds out about the providers
	editor      line.Editor
	models      []string // for completion; nil: not requested yet
	interrupted bool     // the user has just interrupted a run
	unsent      string   // typed during a run that ended before its model read it; the next line starts with it

	ran    []string      // what the user ran with !, for the next prompt
	images []pastedImage // of the prompt that is being written
	isSent bool          // the line was sent to the model

	session core.Session      // the zero value before the first prompt
	request launch.RunRequest // holds the model, the agent and the mode, which may change
	ready   *readyTask        // nil: prepare creates it
}

// readyTask is a prepared task. A chat keeps it between prompts because it holds connections to servers.
type readyTask struct {
	engine.Task
	env     *launch.RunEnv
	release func()
}

// NewChat returns a chat that continues the session that the flags select, or starts a new one.
func NewChat(s *Shell, db *sqlite.DB, flags *RunOptions) *chat {
	return &chat{Shell: s, db: db, flags: flags, launcher: launch.New(version.Number, s.Trust)}
}

// quit is the error that ends a chat.
type quit struct{}

// Error implements error. No user sees the text.
func (quit) Error() string { return "quit" }

func (c *chat) Run(ctx context.Context) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	err := c.converse(ctx)
	c.forget()
	lasting := context.WithoutCancel(ctx)
	if c.session.ID != "" {
		err = errors.Join(err, c.writeTranscript(lasting, c.db, c.session.ID, c.flags))
		if !c.Discards {
			c.Say("Resume with: coppice chat --resume %s", find.ShortID(lasting, c.db, c.session.ID)+c.dbFlag())
		}
	}
	return err
}

// begin opens the session that the flags select, and prints the agent, the model, the mode and the workspace.
func (c *chat) begin(ctx context.Context) (err error) {
	if c.request, err = c.flags.request(""); err != nil {
		return err
	}
	session, err := c.chosen(ctx)
	if err != nil {
		return err
	}
	c.session = session
	if session.ID != "" {
		if err := c.resumed(ctx); err != nil {
			return err
		}
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if session.ID != "" {
		if err := c.printDifferences(ctx, c.db, session, &c.ready.Task); err != nil {
			return err
		}
	}
	if session.ID != "" && c.request.Name != "" {
		if err := c.db.SetName(ctx, session.ID, c.request.Name); err != nil {
			return err
		}
	}
	if c.Prompter == nil {
		return nil
	}
	if session.ID != "" {
		c.Say("")
	}
	facts := []string{"Coppice"}
	if name := cmp.Or(c.request.Name, session.Name); name != "" {
		facts = append(facts, name)
	}
	c.sayDim(strings.Join(append(facts, c.ready.Agent.Name, c.ready.ModelRef, string(c.ready.Mode), c.ready.WorkspacePath), itemSeparator))
	c.sayDim("/help lists the commands; @ files, ! commands, Ctrl+G editor, Ctrl+D ends")
	c.Say("")
	c.editor.Paint = func(prompt string) string { return c.Prompter.paint(present.Bold, prompt) }
	c.editor.Pasted = c.pasted
	c.editor.Clipboard = func() (string, error) { return c.clipboardImage(ctx) }
	c.editor.Outside = func(text string) (string, error) { return c.editOutside(ctx, text) }
	c.editor.Hint = func(before string) (int, []string) { return c.complete(ctx, before) }
	past, err := line.OpenHistory(filepath.Join(xdg.StateHome, "coppice", "chat_history"))
	if err != nil {
		c.Say("coppice: what was typed in earlier chats cannot be read: %v", err)
	}
	c.editor.Past = past
	return nil
}

// chosen returns the session that the flags select, or that the user chooses; the zero value: a new session.
func (c *chat) chosen(ctx context.Context) (core.Session, error) {
	if c.flags.Picks {
		return c.PickSession(ctx, c.db, core.SessionFilter{})
	}
	return c.flags.Find(ctx, c.db)
}

// resumed prints which session continues, and moves to the branch that the flags select.
func (c *chat) resumed(ctx context.Context) error {
	c.Say("Resumed session %s (%s)", find.ShortID(ctx, c.db, c.session.ID), present.Count(c.session.MessageCount, "message"))
	if c.flags.Branch != "" {
		if err := c.branch(ctx, c.flags.Branch); err != nil {
			return err
		}
	}
	return c.showLast(ctx)
}

// prepare creates the task that runs the prompts, unless the chat has one.
func (c *chat) prepare(ctx context.Context) error {
	if c.ready != nil {
		return nil
	}
	workspace, err := c.flags.folder(c.session)
	if err != nil {
		return err
	}
	if err := c.ResolveTrust(ctx, workspace); err != nil {
		return err
	}
	o, err := c.launcher.Env(c.db, workspace)
	if err != nil {
		return err
	}
	if o.Here, err = filepath.Abs(""); err != nil {
		return core.Wrap(core.Unavailable, err, "find this folder")
	}
	if err := c.confirm(ctx, o, &c.request, c.session); err != nil {
		return err
	}
	task, release, err := o.Task(ctx, c.request, c.session)
	if err != nil {
		release()
		return err
	}
	c.ready = &readyTask{task, o, release}
	return nil
}

// forget releases the task. The next prompt prepares a new one.
func (c *chat) forget() {
	if c.ready != nil {
		c.ready.release()
		c.ready = nil
	}
}

// converse reads and handles input until it ends. For input from a pipe it returns the error of the last line that
// failed.
func (c *chat) converse(ctx context.Context) error {
	var wrong error
	interrupts := 0
	for {
		text, err := c.read(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return wrong
		case errors.Is(err, line.ErrInterrupted):
			if interrupts++; text != "" && c.interrupted {
				interrupts = 1
			} else if text != "" {
				interrupts = 0
			} else if interrupts > 1 && c.interrupted {
				return exit.Outcome(exit.Interrupted)
			} else if interrupts > 1 {
				return nil
			} else {
				c.sayHowToEnd()
			}
			continue
		case isHibernation(err):
			return c.hibernate(ctx, text)
		case err != nil:
			return stopped(err)
		}
		interrupts, c.interrupted, c.isSent = 0, false, false
		switch err := c.take(ctx, text); {
		case errors.Is(err, quit{}):
			return wrong
		case isHibernation(err):
			return exit.Outcome(exit.Partial)
		case ctx.Err() != nil:
			return stopped(context.Cause(ctx))
		case err != nil && c.Prompter != nil:
			c.Report(err)
		case err != nil:
			c.Report(err)
			wrong = exit.Outcome(exit.Code(err))
		}
		if c.Prompter != nil && isCommand(text) && !c.isSent { // an empty line follows answers anyway
			c.Say("")
		}
		if c.interrupted { // a second Ctrl+C ends the chat, whether the run has ended by then or not
			interrupts = 1
			c.sayHowToEnd()
		}
	}
}

func (c *chat) sayHowToEnd() {
	c.Say("%s", c.paint(present.Dim, "Ctrl+C again, or Ctrl+D, ends the chat"))
}

// stopped returns the error of a command that was ended from outside.
func stopped(err error) error {
	if _, terminated := errors.AsType[engine.Interrupt](err); terminated || errors.Is(err, context.Canceled) {
		return exit.Outcome(exit.Interrupted)
	}
	return err
}

// isCommand reports whether a line is for the chat or the shell, not for the model.
func isCommand(text string) bool { return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "!") }

// take runs the command on a line, or sends the line to the model.
func (c *chat) take(ctx context.Context, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case strings.HasPrefix(text, "/"):
		return c.command(ctx, text)
	case strings.HasPrefix(text, "!") && strings.TrimSpace(text[1:]) != "":
		return c.shell(ctx, strings.TrimSpace(text[1:]))
	default:
		return c.send(ctx, strings.TrimSpace(text), "", false)
	}
}

// send sends a prompt to the model: as a child of the message from, as a root, or at the head if neither is given.
// Without a text, the session continues.
func (c *chat) send(ctx context.Context, text, from string, root bool) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	c.request.Text = c.withRan(text)
	given := c.request.Images
	c.request.Images = c.withImages(text)
	prompt, err := c.request.Prompt()
	c.request.Images = given
	if err != nil {
		return err
	}
	c.isSent = true
	task := c.ready.Task
	task.SessionID, task.Name, task.Prompt, task.From, task.Root = c.session.ID, c.request.Name, prompt, from, root
	within, done := c.Signals.within(ctx)
	streamed := c.Width > 0
	how := displayOptions{text: c.answerScreen(streamed, c.flags.HITL), hitl: c.flags.HITL, brief: true}
	if c.Prompter != nil {
		how.listener = &inputListener{prompter: c.Prompter, signals: c.Signals, editor: &c.editor, db: c.db}
	}
	result, err := c.perform(within, c.ready.env, task, how)
	done()
	if how.listener != nil {
		unsent, failed := how.listener.takeUnsent(context.WithoutCancel(ctx))
		c.unsent, err = unsent, errors.Join(err, failed)
	}
	if result.SessionID == "" {
		return err
	}
	if result.Run.StopReason == core.StopHibernated {
		err = engine.Interrupt{Reason: core.StopHibernated}
	}
	c.request.Name, c.request.Images, c.ready.Notices = "", nil, nil
	if text != "" {
		c.ran, c.images = nil, nil
	}
	c.request.Summary, c.ready.Summary = false, false // applied to the first prompt already
	lasting := context.WithoutCancel(ctx)
	session, failed := c.db.Session(lasting, result.SessionID)
	if failed != nil {
		return errors.Join(err, failed)
	}
	c.session = session
	if c.ready.Team != nil {
		c.request.Team, c.request.TeamChanges = "", nil // the session has its team now, with the changes
	}
	if !streamed && err == nil {
		if err := c.Printf("%s\n", present.Safe(strings.TrimRight(result.Answer, "\n"))); err != nil {
			return err
		}
	}
	if isHibernation(err) {
		return err
	}
	if err != nil {
		return runFailure(err)
	}
	if c.Prompter != nil { // the view has shown how the run ended
		c.interrupted = result.Run.StopReason == core.StopUserInterrupt
		c.Say("")
		return nil
	}
	return exitOf(result.Run.StopReason)
}

// The prompts that a chat shows.
const (
	chatPrompt = "you> "
	morePrompt = "...> "
)

// read returns the next text that the user enters. Several lines are one text if each ends with \ or if they are
// enclosed in """.
func (c *chat) read(ctx context.Context) (string, error) {
	text, err := readLines(func(prompt string) (string, error) {
		begun := c.unsent
		c.unsent = ""
		return c.line(ctx, prompt, begun)
	})
	if err == nil && c.editor.Past != nil {
		if failed := c.editor.Past.Add(text); failed != nil {
			c.editor.Past = nil
			c.Say("coppice: what is typed cannot be kept for the next chat: %v", failed)
		}
	}
	return text, err
}

// line returns one line, typed at the terminal or read from the pipe.
func (c *chat) line(ctx context.Context, prompt, text string) (string, error) {
	if c.Prompter == nil {
		waiting, cancel := patient(ctx, time.Duration(c.flags.HibernateAfter))
		defer cancel()
		return c.Keys.line(waiting)
	}
	return c.Prompter.edit(ctx, c.Signals, &c.editor, prompt, text, time.Duration(c.flags.HibernateAfter))
}

const block = `"""`

// readLines joins the lines that are one text.
func readLines(next func(prompt string) (string, error)) (string, error) {
	text, err := next(chatPrompt)
	if err != nil {
		return text, err
	}
	if inside, isBlock := strings.CutPrefix(strings.TrimLeft(text, " \t"), block); isBlock {
		for !strings.Contains(inside, block) {
			more, err := next(morePrompt)
			if err != nil {
				return "", cutShort(err, block)
			}
			inside += "\n" + more
		}
		before, after, _ := strings.Cut(inside, block)
		return strings.Trim(before, "\n") + after, nil
	}
	for strings.HasSuffix(text, `\`) {
		more, err := next(morePrompt)
		if err != nil {
			return "", cutShort(err, `\`)
		}
		text = strings.TrimSuffix(text, `\`) + "\n" + more
	}
	return text, nil
}

// cutShort returns the error of a text that the end of the input cuts off.
func cutShort(err error, mark string) error {
	if errors.Is(err, io.EOF) {
		return core.E(core.Invalid, "the input ends within a text of several lines, after %s", mark)
	}
	return err
}
