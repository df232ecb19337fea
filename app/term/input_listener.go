package term

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"coppice/app/internal/present"
	"coppice/app/term/line"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/sqlite"
	"coppice/backend/team"
)

// inputListener reads what the user types during a run and queues it for the model, which receives it before its next
// step. It reads the terminal key by key: the first key opens an input line, and the output of the run waits until the
// user enters that line. A question appears only between two lines, so nothing typed before it can answer it.
type inputListener struct {
	prompter *Prompter
	signals  *signals
	editor   *line.Editor
	view     *runView
	isTeam   bool            // a team works
	run      context.Context // a line that is being typed ends with the run

	db *sqlite.DB

	shut func() // stops listening; nil: not listening

	mu     sync.Mutex
	runID  string
	queue  []core.QueuedMessage // typed, in the library, and not yet a message of the session
	handed int                  // the number of messages of the queue that the engine has taken
	left   []string             // commands for the chat, and text that was not entered before the run ended
}

// begin listens during a run until over is called.
func (e *inputListener) begin(ctx context.Context, view *runView, task *engine.Task) (over func()) {
	e.view, e.isTeam = view, task.Team != nil
	task.Steer = e.steer
	task.Observe = func(event engine.Event) {
		e.observe(event)
		view.observe(event)
	}
	run, cancel := context.WithCancel(ctx)
	e.run = run
	e.open()
	return func() {
		cancel()
		e.close()
	}
}

// open starts listening. It does nothing if the terminal does not support raw mode.
func (e *inputListener) open() {
	restore, err := e.prompter.raw(e.signals)
	if err != nil {
		return
	}
	e.view.setRaw(true)
	e.prompter.Write(line.PasteOn)
	waiting, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.listen(waiting)
	}()
	e.shut = func() {
		cancel()
		<-done
		e.prompter.Write(line.PasteOff)
		restore()
		e.view.setRaw(false)
		e.shut = nil
	}
}

// close stops listening. It first waits until the user enters the current line or the run ends.
func (e *inputListener) close() {
	if e.shut != nil {
		e.shut()
	}
}

// aside calls f with the terminal out of raw mode, for example to ask a question.
func (e *inputListener) aside(f func()) {
	e.close()
	defer e.open()
	f()
}

// listen reads lines until the context waiting ends.
func (e *inputListener) listen(waiting context.Context) {
	var first []byte // keys that were read together with the last line
	for {
		if len(first) == 0 {
			var err error
			if first, err = e.prompter.keys.more(waiting); err != nil {
				return
			}
		}
		for len(first) > 0 && first[0] == interruptKey {
			e.signals.take(os.Interrupt)
			first = first[1:]
		}
		if len(first) == 0 {
			continue
		}
		e.view.hush()
		text, err := e.line(first)
		first = nil
		e.prompter.Write(line.PasteOn)
		e.view.speak()
		switch {
		case err == nil:
			e.take(strings.TrimSpace(text))
			first = e.editor.Rest()
		case errors.Is(err, line.ErrInterrupted), errors.Is(err, io.EOF): // the user has discarded the line
			first = e.editor.Rest()
		default:
			e.keep(strings.TrimSpace(text))
		}
	}
}

// line reads the line that begins with the given keys.
func (e *inputListener) line(first []byte) (string, error) {
	before := *e.editor
	defer func() {
		e.editor.In, e.editor.Out, e.editor.Size, e.editor.Outside = before.In, before.Out, before.Size, before.Outside
		e.editor.Pasted, e.editor.Clipboard = before.Pasted, before.Clipboard
	}()
	e.editor.Outside = nil                         // another program would write over the run
	e.editor.Pasted, e.editor.Clipboard = nil, nil // a queued message has no images
	e.editor.In = func() ([]byte, error) {
		if len(first) > 0 {
			keys := first
			first = nil
			return keys, nil
		}
		return e.prompter.typed(e.run)
	}
	e.editor.Out, e.editor.Size = e.prompter.screen, e.prompter.Size
	return e.editor.Read(chatPrompt, "")
}

// take queues a text for the model. It stores a command for the chat, which runs it after the model is done.
func (e *inputListener) take(text string) {
	switch {
	case text == "":
	case e.changesTeam(text):
		e.enqueue(text)
	case strings.HasPrefix(text, "/"):
		e.keep(text)
		e.view.remark("a command waits until the model is done; Ctrl+C stops it")
	default:
		e.enqueue(text)
	}
}

// changesTeam reports whether a text changes the team that works, which takes effect before its next step.
func (e *inputListener) changesTeam(text string) bool {
	_, ok := team.ParseChange(text)
	return ok && e.isTeam
}

// enqueue stores a message for the model. A text that cannot be stored is returned to the chat.
func (e *inputListener) enqueue(text string) {
	e.mu.Lock()
	runID := e.runID
	e.mu.Unlock()
	now := time.Now().UnixMilli()
	q := core.QueuedMessage{UID: core.NewID(now), RunID: runID, Parts: []core.Part{{Type: core.PartText, Text: text}}, CreatedAtMs: now}
	if err := e.db.Enqueue(context.WithoutCancel(e.run), q); err != nil {
		e.keep(text)
		e.view.remark("the text waits until the model is done: " + err.Error())
		return
	}
	e.mu.Lock()
	e.queue = append(e.queue, q)
	e.mu.Unlock()
	e.view.remark("the model receives it before its next step")
}

func (e *inputListener) keep(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text != "" {
		e.left = append(e.left, text)
	}
}

// steer implements engine.Task.Steer. A text stays in the queue until it is stored as a message, because the run may
// end before that.
func (e *inputListener) steer() []core.QueuedMessage {
	e.mu.Lock()
	defer e.mu.Unlock()
	said := slices.Clone(e.queue[e.handed:])
	e.handed = len(e.queue)
	return said
}

// observe removes a text from the queue when it is stored as a message.
func (e *inputListener) observe(event engine.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case event.Type == engine.EventStarted:
		e.runID = event.Run.ID
	case event.Type == engine.EventMessage && e.handed > 0 && event.Message.UID == e.queue[0].UID:
		e.queue, e.handed = e.queue[1:], e.handed-1
	}
}

// takeUnsent returns what the user typed and no model received, and removes it from the library. Call it after the listener is closed.
func (e *inputListener) takeUnsent(ctx context.Context) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var texts []string
	for _, q := range e.queue {
		if err := e.db.DropQueued(ctx, q.UID); err != nil {
			return "", err
		}
		texts = append(texts, present.Text(q.Parts))
	}
	e.queue, e.handed = nil, 0
	return strings.Join(slices.Concat(texts, e.left), "\n"), nil
}
